"""The story of a recording: what was done, step by step, as it can be played again. Choice: D-530.

What a later request names of an earlier answer is kept under a name. Each value is looked up in an
index of all: to look for each text of each answer in all that was sent later takes as long as
their number squared.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from scenarios.story import SHOPPER, literal_text
from simulator.domain.console.recording import SHOP, Deed

NOUNS = ("payment", "checkout", "registration", "schedule")
# What a later request names of an answer: a whole value, or in one, or in a path, an id, which may
# have dots and dashes in it.
IDS = re.compile(r"[\w.-]+")
PARTS_OF_IDS = re.compile(r"\w+")
# What no name of a piece has.
NO_WORD = re.compile(r"\W+")


def story_of(
    deeds: Sequence[Deed], *, title: str, about: str, sandbox: Mapping[str, Any]
) -> dict[str, Any]:
    """The document of a story that does all this again."""
    names: dict[str, str] = {}
    last = _last_named(deeds)
    steps = [_step_of(deed, number, last, names) for number, deed in enumerate(deeds, 1)]
    options = {"sandbox": dict(sandbox)} if sandbox else {}
    return {"title": title, "about": about, **options, "steps": steps}


def _step_of(
    deed: Deed, number: int, last: Mapping[str, int], names: dict[str, str]
) -> dict[str, Any]:
    """A step; `names` are the names of texts of earlier answers, to which its own are added where
    one is named later: by which step at last, says `last`.
    """
    request: dict[str, Any] = {"method": deed.method, "path": _named(deed.path, names)}
    if deed.is_of_shopper:
        request["by"] = SHOPPER
    for part in ("form", "query", "document"):
        if value := _named(getattr(deed, part), names):
            request[part] = value
    kept: dict[str, str] = {}
    noun = next((each for each in NOUNS if deed.path.startswith(f"v1/{each}s")), "answer")
    shows = noun == "payment" and deed.method == "POST" and "id" in deed.found
    for path, text in deed.found.items():
        is_payment = shows and path == "id"
        if is_payment or (text not in names and last.get(text, 0) > number):
            names[text] = _free_name(noun if path == "id" else path, number, kept)
            kept[names[text]] = path
    expected = {"status": deed.status, **({"code": deed.code} if deed.code else {})}
    step = {"say": deed.say, "control" if deed.is_control else "call": request, "expect": expected}
    if kept:
        step["keep"] = kept
    if shows:
        step["show"] = f"{{{names[deed.found['id']]}}}"
    return step


def _free_name(of: str, number: int, taken: Collection[str]) -> str:
    """A name for what a step gives: words and the number of the step, other than those `taken`."""
    word = NO_WORD.sub("_", of).strip("_")
    name, more = f"{word}_{number}", 1
    while name in taken:
        more += 1
        name = f"{word}_{more}_{number}"
    return name


def _last_named(deeds: Sequence[Deed]) -> dict[str, int]:
    """Which step is the last one to name each text."""
    last: dict[str, int] = {}
    for number, deed in enumerate(deeds, 1):
        for value in _values_of((deed.path, deed.form, deed.query, deed.document)):
            text = literal_text(value, (SHOP,))
            found = chain((text,), IDS.findall(text), PARTS_OF_IDS.findall(text))
            last.update(dict.fromkeys(found, number))
    return last


def _values_of(value: Any) -> Iterator[str]:
    """Every text in it that may name another one."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        yield from chain.from_iterable(map(_values_of, value.values()))
    elif isinstance(value, list | tuple):
        yield from chain.from_iterable(map(_values_of, value))


def _named(value: Any, names: Mapping[str, str]) -> Any:
    """A value with the names of what earlier answers said in place of that."""
    if isinstance(value, str):
        return _named_text(literal_text(value, (SHOP,)), names)
    if isinstance(value, Mapping):
        return {key: _named(each, names) for key, each in value.items()}
    return [_named(each, names) for each in value] if isinstance(value, list) else value


def _named_text(text: str, names: Mapping[str, str]) -> str:
    if text in names:
        return f"{{{names[text]}}}"

    def part(found: re.Match[str]) -> str:
        return f"{{{names[found[0]]}}}" if found[0] in names else found[0]

    def whole(found: re.Match[str]) -> str:
        is_named = found[0] in names
        return f"{{{names[found[0]]}}}" if is_named else PARTS_OF_IDS.sub(part, found[0])

    return IDS.sub(whole, text)
