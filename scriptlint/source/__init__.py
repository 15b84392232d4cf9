"""Reads Python source: finds tokenizers in it, assembles their stages, runs none of its code."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from scriptlint.source.reader import TokenizerNotFound, load_tokenizer, read_source
    from scriptlint.tokenizer.model import SourceFacts

__all__ = ["SourceFacts", "TokenizerNotFound", "load_tokenizer", "read_source"]


def __getattr__(name: str) -> object:
    # The reader is loaded when something is read: a run on files without a candidate never needs it.
    if name in __all__:
        from scriptlint.source import reader

        return getattr(reader, name)
    raise AttributeError(name)
