"""Pictures that a gateway draws: checked, and written anew from what was checked.

Another server may be there, and a picture that is opened in a browser may be a program. So there
is nothing in it but what a gateway draws with: shapes, texts, and a style sheet that loads nothing.
Choice: D-697.
"""

import re
from collections.abc import Callable, Iterator
from html import escape
from xml.etree import ElementTree

from simulator.client.control_calls import ControlError

NAMESPACE = "{http://www.w3.org/2000/svg}"
# Deeper than any picture of a gateway.
DEPTH_MAX = 12
NUMBER = r"-?[0-9]{1,7}(?:\.[0-9]{1,4})?(?:e[+-]?[0-9]{1,2})?"
FIGURE, WORDS, TEXT = re.compile(NUMBER), re.compile(r"[A-Za-z_ -]*"), re.compile(r"(?s:.*)")
BOX = re.compile(rf"{NUMBER}(?: {NUMBER}){{3}}")
PATH = re.compile(r"(?:[MmLlHhVvCcZz.,e+ -]|[0-9]{1,7}(?![0-9]))*")
PLACE = re.compile(rf"translate\({NUMBER} {NUMBER}\)")
WIDTH = re.compile(r"min-width: [0-9]{1,6}px")
ELEMENTS = {
    #  element   attributes and what each may be
    "svg":       {"width": FIGURE, "height": FIGURE, "viewBox": BOX, "role": WORDS,
                  "aria-label": TEXT, "style": WIDTH},
    "title":     {},
    "style":     {},
    "g":         {"class": WORDS, "transform": PLACE},
    "text":      {"class": WORDS, "x": FIGURE, "y": FIGURE},
    "rect":      {"class": WORDS, "x": FIGURE, "y": FIGURE, "width": FIGURE, "height": FIGURE,
                  "rx": FIGURE},
    "line":      {"class": WORDS, "x1": FIGURE, "y1": FIGURE, "x2": FIGURE, "y2": FIGURE},
    "path":      {"class": WORDS, "d": PATH},
}  # fmt: skip
# Without brackets, escapes and rules nothing is loaded.
DARK = "@media (prefers-color-scheme: dark)"
STYLE = re.compile(r"""[\w\s.,:;{}#%"'-]*""", re.ASCII)
CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ufffe\uffff]")
Mask = Callable[[str], str]


def checked_picture(svg: str, mask: Mask = str) -> str:
    """The same picture, its texts masked. Raises ControlError where anything else stands in it."""
    # Document types, entities, comments and instructions.
    if "<!" in svg or "<?" in svg:
        raise _other_error("a declaration")
    try:
        root = ElementTree.fromstring(svg)
    except (ElementTree.ParseError, ValueError, RecursionError):
        raise _other_error("no XML") from None
    if root.tag != f"{NAMESPACE}svg":
        raise _other_error("another document")
    written = "".join(_written(root, mask, 0))
    if found := CONTROLS.search(written):
        raise _other_error(f"the character U+{ord(found[0]):04X}")
    return f"{written}\n"


def _written(element: ElementTree.Element, mask: Mask, depth: int) -> Iterator[str]:
    name = element.tag.removeprefix(NAMESPACE)
    if name not in ELEMENTS or (depth > 0) is (name == "svg"):
        raise _other_error(f"an element {name}")
    if depth > DEPTH_MAX:
        raise _other_error("more levels")
    yield f"<{name}"
    if not depth:
        yield f' xmlns="{NAMESPACE.strip("{}")}"'
    for attribute, value in element.items():
        _check_attribute(name, attribute, value)
        shown = mask(value) if attribute == "aria-label" else value
        yield f' {attribute}="{escape(shown)}"'
    text = _text_in(element, name, mask)
    if not text and not len(element):
        yield "/>"
        return
    yield f">{text}"
    for child in element:
        yield from _written(child, mask, depth + 1)
        yield escape(mask(child.tail or ""))
    yield f"</{name}>"


def _check_attribute(name: str, attribute: str, value: str) -> None:
    form = ELEMENTS[name].get(attribute)
    if form is None or not form.fullmatch(value):
        raise _other_error(f"an attribute {attribute} of {name}")


def _text_in(element: ElementTree.Element, name: str, mask: Mask) -> str:
    text = element.text or ""
    if name != "style":
        return escape(mask(text))
    if len(element) or not STYLE.fullmatch(text.replace(DARK, "")) or mask(text) != text:
        raise _other_error("a style")
    return text


def _other_error(found: str) -> ControlError:
    return ControlError(
        f"expected a picture as a gateway draws it, got {found[:80]} in it; is it a gateway?"
    )
