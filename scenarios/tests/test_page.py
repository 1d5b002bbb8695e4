"""The page about writing a behaviour names every word that the schema knows."""

import json
from collections.abc import Iterator
from pathlib import Path

from scenarios.loader import load_behaviour
from scenarios.schema import SCHEMA
from simulator.domain.steering.known import KNOWN

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "write-a-behaviour.md"


def words_in(schema: object, name: str = "") -> Iterator[str]:
    """Every member of a schema, and what the shopper can do."""
    if not isinstance(schema, dict):
        return
    for key, each in schema.get("properties", {}).items():
        yield key
        yield from words_in(each, key)
    if name == "bank":
        yield from schema.get("enum", ())
    for part in (*schema.get("$defs", {}).values(), *schema.get("oneOf", ())):
        yield from words_in(part, name)


def test_every_member_of_a_behaviour_stands_on_the_page() -> None:
    page = PAGE.read_text(encoding="utf-8")
    words = set(words_in(json.loads(SCHEMA.read_text(encoding="utf-8"))))

    assert {"acquirer", "pay", "velocity", "nth"} <= words
    assert [
        word for word in sorted(words) if f"`{word}" not in page and f"{word}:" not in page
    ] == []


def test_the_page_is_linked_from_the_index_and_from_pages_that_use_behaviours() -> None:
    docs = PAGE.parents[1]
    for page in ("index.md", "how-to/sandboxes.md", "how-to/webhooks.md", "how-to/risk.md"):
        assert PAGE.name in (docs / page).read_text(encoding="utf-8"), page


def test_the_behaviour_on_the_page_is_valid(tmp_path: Path) -> None:
    shown = PAGE.read_text(encoding="utf-8").partition("```yaml\n")[2].partition("```")[0]
    file = tmp_path / "slow-decline.yaml"
    file.write_text(shown, encoding="utf-8")

    assert load_behaviour(file, known=KNOWN).name == "slow-decline"
