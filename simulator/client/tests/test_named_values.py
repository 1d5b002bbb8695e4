"""The first look at a text passes by no value that the patterns would find."""

from itertools import product

import pytest

from simulator.client import named_values
from simulator.client.named_values import NamedValues
from simulator.domain.masking.masking import SECRET_VALUES

BEFORE = (
    "", "x ", '{"', ',"', ', "', '{"a":', '{"a":"', '"a":', 'x":', 'security"', "security ", "card",
    'track"', "\0", "<", "https://shop.example/?", " 12:34:56 ",
    '"http://127.0.0.1:80', "\0http://127.0.0.1:80/", '"https://localhost:443/?',
    "z" * 80, '{"' + "z" * 80,
)  # fmt: skip
NAMES = ("cvv", "CVV2", "pin", "code", "apikey", "authorization", "password", "2", "street2")
BEHIND = ("", " ", '"', "'", '\\"', '\\\\"', "%22", "%2522", '" ', " 12", "T12", "http", "https")
SIGNS = (
    "=", ":", "::", "=>", "%3A", "%253d", "\uff1d", "\uff1a", "\\u003d", ">", "://", ":34:56",
    "://cvv:", ',"b":', " ", "",
)  # fmt: skip
VALUES = ("123", "://x", '{"a":1}')


def test_a_value_is_found_behind_every_sign(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [*map("".join, product(BEFORE, NAMES, BEHIND, SIGNS, VALUES))]
    masked = [SECRET_VALUES.masked(text, "***") for text in texts]

    monkeypatch.setattr(named_values, "_has_sign", lambda *_: True)
    sought = [SECRET_VALUES.masked(text, "***") for text in texts]

    differ = [text for text, *both in zip(texts, masked, sought, strict=True) if len({*both}) > 1]
    assert differ == []


@pytest.mark.parametrize(
    "text",
    ['{"id":"8ca8","card":{"bin":"420000"},"timestamp":"2026-11-29 18:12:33+0000"}',
     '{"shopperResultUrl":"https://shop.example/back","shipping":{"street2":"Second floor"}}',
     "DB\x00Second floor\x00https://shop.example/back\x0092.00",
     '{"url":"http://127.0.0.1:40123/hook","event":"8ca8","status":200}'],
)  # fmt: skip
def test_usual_texts_are_only_looked_at(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not SECRET_VALUES.are_in(text.encode()), "the names of members are looked at once"
    monkeypatch.setattr(NamedValues, "_places", lambda *_: pytest.fail("looked for names"))
    assert not SECRET_VALUES.are_in(text.encode())


def test_few_names_of_members_are_remembered_and_no_long_ones(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(named_values, "KEPT_MEMBERS", 3)
    values = NamedValues(("cvv",), "cvv")
    for names, kept in (
        (["x" * 65, "y" * 100_000], 0), (["x" * 64], 1), (["a", "b"], 3), (["c"], 1),
        ([*"abcde"], 3),
    ):  # fmt: skip
        text = "{" + ",".join(f'"{name}":1' for name in names) + "}"
        assert not values.are_in(text.encode())
        assert len(values._plain) == kept
        assert values.are_in(text.replace(f'"{names[-1]}"', '"cvv"').encode())
