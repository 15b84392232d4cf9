"""Repairs of tokenizers, each checked before it is shown: better for the scripts named, worse for none, ASCII alike."""
