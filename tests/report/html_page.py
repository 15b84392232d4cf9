"""Reads a page strictly: tags that match, unique ids, links that lead somewhere, names for what is operated."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = {"meta", "link", "br", "hr", "img", "input", "wbr"}
PHRASING_ONLY = {"p", "h1", "h2", "h3", "h4", "code", "a", "button"}
BLOCKS = {
    "p",
    "div",
    "ul",
    "ol",
    "li",
    "table",
    "pre",
    "details",
    "section",
    "article",
    "dl",
    "figure",
    "h2",
    "h3",
    "h4",
}


@dataclass
class Element:
    """A tag with its attributes, its ancestors, and the text below it."""

    tag: str
    attributes: dict[str, str]
    above: tuple[str, ...]
    text: list[str] = field(default_factory=list)

    @property
    def name(self) -> str:
        """What a screen reader calls it, nearly."""
        return " ".join("".join(self.text).split()) or self.attributes.get("aria-label", "")


class Page(HTMLParser):
    """``elements`` in document order. Asserts that the markup is well formed."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        assert text.startswith("<!doctype html>\n")
        self.elements: list[Element] = []
        self.open: list[Element] = []
        self.style = ""
        self.feed(text)
        self.close()
        assert not self.open, [e.tag for e in self.open]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attrs]
        assert len(set(names)) == len(names), (tag, names)
        element = Element(tag, {n: v or "" for n, v in attrs}, tuple(e.tag for e in self.open))
        inside = [e.tag for e in self.open]
        if tag in BLOCKS and "svg" not in inside:
            holders = [t for t in inside if t in PHRASING_ONLY]
            assert not holders or (tag == "h3" and holders == []), f"<{tag}> in <{'> <'.join(inside)}>"
        self.elements.append(element)
        if tag not in VOID:
            self.open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert any(e.tag == "svg" for e in self.open), f"<{tag}/> outside svg"
        self.elements.append(Element(tag, {n: v or "" for n, v in attrs}, tuple(e.tag for e in self.open)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open and self.open[-1].tag == tag, (tag, [e.tag for e in self.open])
        self.open.pop()

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1].tag == "style":
            self.style += data
            return
        for element in self.open:
            element.text.append(data)

    def all(self, tag: str) -> list[Element]:
        return [e for e in self.elements if e.tag == tag]


def parse(text: str) -> Page:
    """The page, after the checks that hold for every page."""
    page = Page(text)
    ids = [e.attributes["id"] for e in page.elements if "id" in e.attributes]
    assert len(set(ids)) == len(ids), sorted(i for i in set(ids) if ids.count(i) > 1)
    for element in page.elements:
        known = set(ids)
        for key, value in element.attributes.items():
            # An event handler or an address would be a way out of the page.
            assert not key.startswith("on") and key not in ("src", "srcset", "action", "data", "poster"), (key, value)
            if key == "href":
                assert value.startswith("#") and value[1:] in known, value
            if key in ("popovertarget", "aria-labelledby", "for", "aria-describedby"):
                assert value in known, (key, value)
        if element.tag in ("a", "button", "summary", "nav", "dialog"):
            assert element.name, element
        if element.tag == "th":
            assert element.attributes.get("scope") in ("col", "row")
        if element.attributes.get("role") in ("region", "img"):
            assert element.attributes.get("aria-label")
    assert not {"script", "iframe", "object", "embed", "link", "img", "base", "form"} & {e.tag for e in page.elements}
    assert not re.search(r"url\(|@import|expression\(|https?:", page.style)
    assert page.all("html")[0].attributes["lang"] == "en" and page.all("title")[0].name
    assert len(page.all("h1")) == len(page.all("main")) == 1
    for table in page.all("table"):
        assert table.name
    assert len(page.all("caption")) == len(page.all("table"))
    return page
