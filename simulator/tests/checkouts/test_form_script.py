"""The script of the form: in the language of the oldest named browser, and light enough."""

import gzip
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from calmjs.parse import es5
from calmjs.parse.asttypes import DotAccessor, Identifier, NewExpr
from calmjs.parse.walkers import Walker

from simulator.tests.kit.gateway import Gateway
from simulator.web.form import script as script_module
from simulator.web.form.frames import FIELDS, field_page, read_part, relay_page, style
from simulator.web.form.script import script

# Source: Hosted payment form behaviour, 5. What came after the oldest named browser.
LATER_GLOBALS = {"fetch", "Promise", "Symbol", "URL", "URLSearchParams", "Map", "Set", "Proxy"}
LATER_NAMES = {
    "assign", "from", "of", "closest", "matches", "append", "prepend", "remove", "replaceWith",
    "before", "after", "includes", "startsWith", "endsWith", "padStart", "padEnd", "repeat",
    "entries", "values", "find", "findIndex", "fill",
}  # fmt: skip
# `classList.remove` and `find` of our own are older.
OLDER = {("classList", "remove")}
SOURCES = {
    "script": script().decode(),
    "field": "".join(map(read_part, ("checks.js", "channel.js", "field.js"))),
    "relay": "".join(map(read_part, ("channel.js", "request.js", "relay.js"))),
    "wallet": "".join(map(read_part, ("channel.js", "request.js", "wallet.js"))),
}


@pytest.fixture(params=SOURCES)
def tree(request: pytest.FixtureRequest) -> object:
    """A script as ES5; what is newer is a syntax error."""
    return es5(SOURCES[request.param])


def test_no_script_uses_what_the_oldest_browser_lacks(tree: object) -> None:
    assert sorted(later_names(tree)) == []


def test_newer_syntax_and_newer_names_are_noticed() -> None:
    with pytest.raises(Exception, match="(?i)syntax|unexpected|mismatched"):
        es5("const a = () => 1;")
    assert set(later_names(es5("x.includes(1); new URL('x'); fetch('y');"))) == {
        "includes", "URL", "fetch",
    }  # fmt: skip
    assert list(later_names(es5("x.classList.remove('a');"))) == []


def later_names(tree: object) -> Iterator[str]:
    """What a script uses that came later."""
    for node in Walker().walk(tree):
        if isinstance(node, DotAccessor):
            owner = node.node.identifier.value if isinstance(node.node, DotAccessor) else ""
            name = node.identifier.value
            if name in LATER_NAMES and (owner, name) not in OLDER:
                yield name
        elif isinstance(node, NewExpr) and isinstance(node.identifier, Identifier):
            if node.identifier.value in LATER_GLOBALS:
                yield node.identifier.value
        else:
            called = getattr(node, "identifier", None)
            is_call = type(node).__name__ == "FunctionCall" and isinstance(called, Identifier)
            if is_call and called.value in LATER_GLOBALS:
                yield called.value


def test_the_files_of_the_form_weigh_little() -> None:
    assert len(script()) <= 60_000
    assert len(gzip.compress(script())) <= 16_000
    assert max(len(field_page(row).html) for row in FIELDS) <= 8_000
    assert len(relay_page().html) <= 10_000
    assert len(style()) <= 12_000


@pytest.mark.parametrize("path", ["/form/number", "/form/cvv", "/form/relay"])
def test_a_frame_may_stand_in_any_page_and_loads_nothing(gateway: Gateway, path: str) -> None:
    answer = gateway.client.simulate_get(path)
    policy = answer.headers["Content-Security-Policy"]

    assert answer.status_code == 200
    assert '<meta http-equiv="X-UA-Compatible" content="IE=edge">' in answer.text
    assert "default-src 'none'" in policy and "unsafe" not in policy
    assert "frame-ancestors" not in policy
    assert "X-Frame-Options" not in answer.headers


def test_a_brand_has_a_picture_and_an_unknown_name_none(gateway: Gateway) -> None:
    picture = gateway.client.simulate_get("/form/brands/VISA.svg")

    assert picture.headers["Content-Type"] == "image/svg+xml"
    assert ">Visa<" in picture.text
    for name in ("NONE", "%3Cscript%3E", "..%2F", "visa"):
        refused = gateway.client.simulate_get(f"/form/brands/{name}.svg")
        assert refused.status_code == 404
        assert "<script" not in refused.text


PARTS = Path(script_module.__file__).with_name("parts")
DOCS = Path(__file__).parents[3] / "docs/how-to/hosted-form.md"


def known_names() -> set[str]:
    """The options and callbacks that the script knows."""
    source = (PARTS / "options.js").read_text(encoding="utf-8")
    lists = re.findall(r"var [A-Z]+ = \((.*?)\)\.split", source, re.DOTALL)
    return set(re.findall(r"\w+", " ".join(lists)))


def test_the_docs_name_every_option_and_callback_and_no_other() -> None:
    page, known = DOCS.read_text(encoding="utf-8"), known_names()
    table = page.split("## Options")[1].split("| member of")[0]
    first_cells = [row.split("|")[1] for row in table.splitlines() if row.startswith("| `")]
    named = set(re.findall(r"`(\w+)", " ".join(first_cells)))

    assert len(known) > 50
    assert sorted(known - set(re.findall(r"`(\w+)", table))) == []
    assert sorted(named - known) == []


def test_the_script_reads_no_option_that_it_does_not_know() -> None:
    drawn = "".join(path.read_text(encoding="utf-8") for path in PARTS.glob("*.js"))
    read = set(re.findall(r'(?:ption|callback|ask)\((?:owner, )?"(\w+)', drawn))

    assert len(read) > 30
    assert sorted(read - known_names() - {"labels", "errorMessages"}) == []


def test_the_docs_name_classes_that_the_script_gives() -> None:
    table = DOCS.read_text(encoding="utf-8").split("| where | classes |")[1].split("\n\n")[0]
    drawn = "".join(path.read_text(encoding="utf-8") for path in PARTS.glob("*.js"))
    words = set(re.findall(r"[a-zA-Z]+", drawn))
    classes = re.findall(r"`([a-zA-Z-]+?)(?:-\{BRAND\})?`", table)

    assert len(classes) > 40
    assert [name for name in classes if not set(name.split("-")) <= words] == []
