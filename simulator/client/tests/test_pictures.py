"""Pictures of a gateway: nothing is in them but shapes, texts and a style that loads nothing."""

from pathlib import Path

import pytest

from simulator.client import ControlError
from simulator.client.pictures import checked_picture
from simulator.tests.kit.trees import ROOT

DRAWN = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="900" height="1e+06" viewBox="0 0 900 60" '
    'role="img" aria-label="Run &lt;1&gt;" style="min-width: 630px"><title>A &amp; B</title>'
    "<style>\nsvg { font: 13px \"Segoe UI\"; }\n@media (prefers-color-scheme: dark) {\n"
    "  text { fill: #e4e9f0; }\n}\n</style>{}"
    '<g class="head" transform="translate(0 166.5)"><text x="1" y="2">a<title>b</title></text>'
    '<rect class="in" x="-1" y="1.5" width="2" height="3" rx="6"/></g></svg>\n'
)  # fmt: skip
HOSTILE = {
    "a script": "<script>alert(1)</script>",
    "a script of another namespace": '<x:script xmlns:x="http://www.w3.org/1999/xhtml"/>',
    "a page": '<foreignObject><b xmlns="http://www.w3.org/1999/xhtml">a</b></foreignObject>',
    "an image": '<image href="https://example.com/a.png"/>',
    "another picture": '<use href="https://example.com/a.svg#a"/>',
    "a link": '<a href="javascript:alert(1)"><text x="1" y="1">a</text></a>',
    "an animation": '<animate attributeName="href" to="javascript:alert(1)"/>',
    "a handler": '<g onmouseover="alert(1)"/>',
    "a handler of a known element": '<rect x="1" y="1" width="1" height="1" onclick="a"/>',
    "an attribute of another namespace":
        '<g xmlns:x="http://www.w3.org/1999/xlink" x:href="https://example.com"/>',
    "a style of an element": '<g style="background: url(https://example.com)"/>',
    "an address as a fill": '<rect fill="url(https://example.com/#a)"/>',
    "a style that loads": "<style>svg { background: url(https://example.com/a) }</style>",
    "a style that imports": '<style>@import "https://example.com/a.css";</style>',
    "an escape in a style": r"<style>a { background: u\72l(https://example.com) }</style>",
    "an element in a style": "<style><script>alert(1)</script></style>",
    "a picture inside": '<svg onload="alert(1)"/>',
    "a comment": "<!-- a -->",
    "unread text": "<![CDATA[<script>alert(1)</script>]]>",
    "an instruction": '<?xml-stylesheet href="https://example.com/a.css"?>',
    "an escape character": "<title>\x1b]0;a\x07</title>",
    "a control character": "<title>\x9b31m</title>",
    "a control character written out": "<title>&#x9b;31m</title>",
    "a text that is turned": "<title>\u202egnp.exe</title>",
    "a number of a card as a place": '<text x="4111111111111111" y="1">a</text>',
    "a number of a card in a path": '<path d="M4111111111111111 1"/>',
    "an open element": "<g>",
    "many levels": "<g>" * 2000 + "</g>" * 2000,
}  # fmt: skip
DOCUMENTS = {
    "a document type": "<!DOCTYPE svg [<!ENTITY a 'aaaa'>]>" + DRAWN.replace("{}", "&a;", 1),
    "a declaration": f'<?xml version="1.0"?>{DRAWN}',
    "nothing": "",
    "JSON": "{}",
    "a page": "<html><body>a</body></html>",
    "a picture without its namespace": "<svg/>",
}


def drawn(more: str = "") -> str:
    return DRAWN.replace("{}", more, 1)


def test_a_picture_of_a_gateway_is_what_it_was() -> None:
    assert checked_picture(drawn()) == drawn()
    kept = (Path(ROOT) / "docs/images/trace.svg").read_text(encoding="utf-8")
    assert checked_picture(kept) == kept


@pytest.mark.parametrize("more", HOSTILE.values(), ids=HOSTILE)
def test_what_a_gateway_does_not_draw_is_refused(more: str) -> None:
    with pytest.raises(ControlError, match="^expected a picture as a gateway draws it, got ") as no:
        checked_picture(drawn(more))
    assert len(str(no.value)) < 200


@pytest.mark.parametrize("document", DOCUMENTS.values(), ids=DOCUMENTS)
def test_another_document_is_no_picture(document: str) -> None:
    with pytest.raises(ControlError, match="^expected a picture as a gateway draws it, got "):
        checked_picture(document)


def test_texts_are_masked_and_places_are_not() -> None:
    shown = checked_picture(drawn("<title>a b</title>"), lambda text: text.replace("b", "<*>"))

    assert "<title>a &lt;*&gt;</title>" in shown
    assert 'class="head" transform="translate(0 166.5)"' in shown


def test_a_style_with_what_would_be_masked_is_refused() -> None:
    with pytest.raises(ControlError, match="a style"):
        checked_picture(drawn(), lambda text: text.replace("Segoe", "***"))
