"""Target files: what `sandgate check` reads, written from what a gateway says of itself."""

import json
from collections.abc import Collection, Iterator, Mapping
from dataclasses import fields
from typing import Any

from features.target.records import Target

HEAD = """\
# What `sandgate check` reads. It holds tokens and keys: keep it to yourself (chmod 600).
"""


def format_target_file(facts: Mapping[str, Any], offers: Collection[str] = ()) -> str:
    """The target file of a gateway with these facts; unknown facts are left out.

    Without `offers` they are concluded from the addresses.
    """
    return HEAD + "\n".join([*_lines(facts), *_offers(offers)]) + "\n"


def _lines(facts: Mapping[str, Any]) -> Iterator[str]:
    for name in (each.name for each in fields(Target)):
        if name != "offers" and isinstance(facts.get(name), str) and facts[name]:
            yield f"{name} = {_text(facts[name])}"


def _text(text: str) -> str:
    """A text as TOML has it: as in JSON, but for DEL, and no sign may be two halves of a pair."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _offers(offers: Collection[str]) -> Iterator[str]:
    if offers:
        yield f"offers = {json.dumps(sorted(offers))}"
