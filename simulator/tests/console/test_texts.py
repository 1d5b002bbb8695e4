"""The texts of the console are in one file: each that a page names is there, and each is named."""

import re
from pathlib import Path

import pytest

from simulator.web.console import texts
from simulator.web.console.rendering import MENU
from simulator.web.console.resources import REFUSALS
from simulator.web.console.texts import LANGUAGE, say, texts_of

CONSOLE = Path(texts.__file__).parents[1]
NAMED = re.compile(r"""(?:say\(|refusal\(\d+, )f?["']([\w.]+)["']""")
# Those whose name is put together.
COMPOSED = ("menu.", "pages.", "refusals.", "start.", "workbench.")
TAG = re.compile(r"<[^>]*>|{{.*?}}|{%.*?%}|<script.*?</script>", re.S)


def named() -> set[str]:
    sources = [*CONSOLE.rglob("*.html"), *CONSOLE.rglob("*.py")]
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
