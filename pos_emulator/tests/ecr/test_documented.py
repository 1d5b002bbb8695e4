"""The page about tills: each request that it shows is sent, and answered as it shows."""

import json
import re
from pathlib import Path

PAGE = Path(__file__).parents[3] / "docs" / "how-to" / "till.md"
JSON = re.compile(r"^```json\n(.*?)^```", re.MULTILINE | re.DOTALL)
ANY = "..."


def test_every_request_of_the_page_is_answered_as_shown(desk_till):
    blocks = [json.loads(block) for block in JSON.findall(PAGE.read_text(encoding="utf-8"))]
    pairs = list(zip(blocks[::2], blocks[1::2], strict=True))
    assert len(pairs) == 5

    for sent, shown in pairs:
        answer = json.loads(desk_till.post(json.dumps(sent).encode()))
        assert differences(shown, answer) == []


def differences(shown, answer, where="") -> list[str]:
    """What is shown and not answered; more may be answered than is shown."""
    if isinstance(shown, dict) and isinstance(answer, dict):
        return [
            found
            for name, value in shown.items()
            for found in differences(value, answer.get(name), f"{where}.{name}")
        ]
    if isinstance(shown, list) and isinstance(answer, list):
        pairs = zip(shown, answer, strict=True)
        return [found for pair in pairs for found in differences(*pair, where)]
    is_shown = shown == answer or (shown == ANY and isinstance(answer, str))
    return [] if is_shown else [f"{where}: {shown!r} is shown, {answer!r} is answered"]


def test_a_difference_is_found():
    assert differences({"a": [1, "..."]}, {"a": [2, 3]}) == [
        ".a: 1 is shown, 2 is answered", ".a: '...' is shown, 3 is answered"
    ]  # fmt: skip
    assert differences({"a": "..."}, {"a": "x", "b": 1}) == []
