"""Words that say nothing about an item: function words, and what every definition of a registry says."""

from __future__ import annotations

STOP_WORDS = frozenset(
    """
    a about above after all also an and any are as at be been before being below between both but by can could did do
    does doing done down each either else etc even every few for from further had has have having he her here his how
    i if in into is it its itself just like may me might more most must my need needs no nor not now of off on once
    one only or other our out over own per s shall she should so some such t than that the their them then there these
    they this those through to too under until up upon us use used user users uses using very via want wants was we
    were what when whenever where whether which while who whom whose why will with within without would you your
    agent agents ask asked asking asks command commands plugin plugins skill skills tool tools trigger triggers
    """.split()  # noqa: SIM905  (a list literal would be a page long)
)
"""Lower case. Only Latin ones: in other scripts a short token is rarely empty of meaning."""
