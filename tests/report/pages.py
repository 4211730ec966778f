"""A reader of HTML pages for tests: elements with their attributes, text and place."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = frozenset({"meta", "link", "img", "input", "br", "source", "path", "use"})
TEXT = "#text"


@dataclass(slots=True)
class Element:
    """An element of a page, or a piece of text in it."""

    tag: str
    attributes: dict[str, str]
    parent: Element | None
    text: str = ""
    children: list[Element] = field(default_factory=list)

    def all(self, tag: str) -> list[Element]:
        """All elements of a tag below this one, in order."""
        found = []
        for child in self.children:
            if child.tag == tag:
                found.append(child)
            found += child.all(tag)
        return found

    def whole_text(self) -> str:
        """The text of this element and all below it, in order."""
        return self.text if self.tag == TEXT else "".join(child.whole_text() for child in self.children)

    def is_inside(self, tag: str) -> bool:
        """Whether an element of that tag stands around this one."""
        return self.parent is not None and (self.parent.tag == tag or self.parent.is_inside(tag))


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = Element("", {}, None)
        self.at = self.root

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, {name: value or "" for name, value in attrs}, self.at)
        self.at.children.append(element)
        if tag not in VOID:
            self.at = element

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.at.children.append(Element(tag, {name: value or "" for name, value in attrs}, self.at))

    def handle_endtag(self, tag: str) -> None:
        assert self.at.tag == tag, f"</{tag}> closes <{self.at.tag}>"
        assert self.at.parent is not None
        self.at = self.at.parent

    def handle_data(self, data: str) -> None:
        self.at.text += data
        self.at.children.append(Element(TEXT, {}, self.at, data))


def read_page(text: str) -> Element:
    """The root of a page whose elements are all closed in order."""
    reader = _Reader()
    reader.feed(text)
    reader.close()
    assert reader.at is reader.root, f"<{reader.at.tag}> is not closed"
    return reader.root
