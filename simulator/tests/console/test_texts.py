"""The texts of the console are in one file: each that a page names is there, and each is named."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from simulator.catalogue import console_words as texts
from simulator.catalogue.console_words import LANGUAGE, say, texts_of
from simulator.web.console.rendering import MENU
from simulator.web.console.resources import REFUSALS

SIMULATOR = Path(texts.__file__).parents[2]
CONSOLE = SIMULATOR / "web" / "console"
# Where people are shown what is written: pages, services, and rules of the console.
SPOKEN = ("web/console", "service/console", "domain/console", "adapters/console")
NAMED = re.compile(r"""(?:say\(|plain\(\s*|refusal\(\d+, )f?["']([\w.]+)["']""")
# Those whose name is put together.
COMPOSED = (
    "class.",
    "class.sure_",
    "hosts.",
    "journal.kind_",
    "menu.",
    "pages.",
    "refusals.",
    "start.",
    "workbench.",
)
TAG = re.compile(r"<[^>]*>|{{.*?}}|{%.*?%}|<script.*?</script>", re.S)


def named() -> set[str]:
    sources = [*CONSOLE.rglob("*.html"), SIMULATOR / "domain" / "lessons.py"]
    sources += [each for folder in SPOKEN for each in (SIMULATOR / folder).rglob("*.py")]
    return {key for each in sources for key in NAMED.findall(each.read_text("utf-8"))}


def test_each_text_that_is_named_is_there_and_each_is_named() -> None:
    known, asked = set(texts_of(LANGUAGE)), {key for key in named() if "." in key}
    assert asked - known - set(COMPOSED) == set()
    assert {key for key in known - asked if not key.startswith(COMPOSED)} == set()


def test_the_menu_and_the_refusals_have_their_texts() -> None:
    pages = [page for group in MENU.values() for page in group]
    composed = [f"menu.{each}" for each in (*MENU, *pages)]
    composed += [
        f"refusals.{name}{end}" for _, name in REFUSALS.values() for end in ("", "_advice")
    ]
    assert set(composed) - set(texts_of(LANGUAGE)) == set()


@pytest.mark.parametrize(
    "page", sorted((CONSOLE / "templates").glob("*.html")), ids=lambda p: p.stem
)
def test_no_words_stand_in_a_template(page: Path) -> None:
    words = re.findall(r"[A-Za-z]{2,}", TAG.sub(" ", page.read_text("utf-8")))
    assert set(words) - {"UTC", "next"} - set(re.findall("[0-9]+[smhd]", page.read_text())) == set()


def test_values_are_escaped_and_code_is_shown_as_code() -> None:
    assert say("common.signed_in_as", name="<b>", role='"') == "Signed in as &lt;b&gt;, &#34;"
    assert "<code>sandgate sandbox create</code>" in say("home.there_is_none_make")


def test_no_words_stand_in_an_error_of_the_console() -> None:
    """What an error expected and what it got are words of the file, lists, or what was typed."""
    sources = [SIMULATOR / "domain" / "lessons.py"]
    sources += [each for folder in SPOKEN for each in (SIMULATOR / folder).rglob("*.py")]
    found = [
        (source.name, each.value)
        for source in sources
        for call in ast.walk(ast.parse(source.read_text("utf-8")))
        if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "InvalidInputError"
        for argument in call.args[1:]
        for each in _texts_in(argument)
        if re.search("[a-z]{2,} [a-z]{2,}|^(?:none|nothing|one)$", str(each.value))
    ]
    assert found == []


def _texts_in(node: ast.AST) -> Iterator[ast.Constant]:
    """The texts of an argument, but the names that `plain` looks up."""
    if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "plain":
        return
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node
    for child in ast.iter_child_nodes(node):
        yield from _texts_in(child)
