"""What becomes of the pieces of a text: which uses speak of them, and which only look at them.

A value has a history: the text that it was cut from was used, too, and a helper that only counts words is handed them
like one that indexes them. What a tokenizer is shows in the uses of the pieces themselves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scriptlint.source.classify import COUNTING
from scriptlint.source.traced import COLLECTIONS
from scriptlint.tokenizer import stages as st

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scriptlint.source.behaviours import Behaviours
    from scriptlint.source.finder import Kinship
    from scriptlint.source.traced import Traced, Use


def uses_of(
    value: Traced, behaviour: str, function: str, uses: Iterable[Use], kin: Kinship, judged: Behaviours
) -> list[Use]:
    """The uses of a value, of what is made of it and of what it was made from.

    Of the texts that pieces were cut from only those count that are pieces already: a clean-up whose text is returned
    or kept says nothing about words that are counted after it.
    """
    uses = list(uses)
    own = kin.below(value) | {value.serial}
    before = kin.of(value) - own
    inside = {(u.value.serial, f"arg:{u.function}") for u in uses}

    def speaks(use: Use) -> bool:
        if use.how == "returned" and use.function != function:
            # A helper hands it back; what is done with it then is a use of its own.
            return False
        if use.value.serial in own:
            # What a function that was followed does with its argument says more than that it was given it.
            return (use.value.serial, use.how) not in inside
        if use.how == "join" and any(isinstance(s, st.Join) for s in value.stages[len(use.value.stages) :]):
            # Put together again on the way, and cut once more.
            return False
        return use.value.serial in before and judged.of(use.value) not in (None, "text")

    if behaviour == "text":
        return [u for u in uses if u.value.serial in own | before]
    spoken = [u for u in uses if speaks(u)]
    if all(u.how in COUNTING or u.how.startswith("test:") for u in spoken):
        # What comes out of a test is asked nothing more: then what was asked of the pieces before it counts.
        spoken += _asked_before(own, before, uses, kin, judged)
    return spoken


def _asked_before(own: set[int], before: set[int], uses: list[Use], kin: Kinship, judged: Behaviours) -> list[Use]:
    """Uses of pieces that the value was made from, one by one, while they are pieces."""
    earlier = [v for s in before if (v := kin.by_serial.get(s)) is not None and v.shape in COLLECTIONS]
    beside = {s for v in earlier if judged.of(v) not in (None, "text") for s in kin.below(v)} - own - before
    return [u for u in uses if u.value.serial in beside and judged.of(u.value) not in (None, "text")]
