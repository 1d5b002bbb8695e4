"""The languages of the hosted form. Source: Hosted payment form behaviour, 3 (FORM-03).

A row has the name the specification gives a language, the tag browsers know it by, and the
direction it is written in. The words are in a file of that tag, for a speaker to review.
"""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import NamedTuple

FALLBACK = "en"
LOCALE_LENGTH_MAX = 35


class LanguageRow(NamedTuple):
    """A language by its name in the specification, its tag (BCP 47), and how it is written."""

    name: str
    tag: str
    direction: str = "ltr"


class Language(NamedTuple):
    """A language of the form: its row, its own name, whether a speaker reviewed it, and its words
    by key.
    """

    row: LanguageRow
    own_name: str
    is_reviewed: bool
    words: Mapping[str, str]


# fmt: off
ROWS = (
    LanguageRow("en", "en"),
    LanguageRow("de", "de"),
    LanguageRow("fr", "fr"),
    LanguageRow("es", "es"),
    LanguageRow("it", "it"),
    LanguageRow("nl", "nl"),
    LanguageRow("dk", "da"),
    LanguageRow("fi", "fi"),
    LanguageRow("se", "sv"),
    LanguageRow("tr", "tr"),
    LanguageRow("ja", "ja"),
    LanguageRow("sl", "sl"),
    LanguageRow("pt", "pt"),
    LanguageRow("pl", "pl"),
    LanguageRow("cz", "cs"),
    LanguageRow("hu", "hu"),
    LanguageRow("bg", "bg"),
    LanguageRow("ro", "ro"),
    LanguageRow("ru", "ru"),
    LanguageRow("cn", "zh-Hans"),
    LanguageRow("gr", "el"),
    LanguageRow("no", "nb"),
    LanguageRow("sk", "sk"),
    LanguageRow("ar", "ar", "rtl"),
    LanguageRow("ko", "ko"),
)
# fmt: on
BY_NAME = {name.lower(): row for row in ROWS for name in (row.name, row.tag)} | {
    "zh": next(row for row in ROWS if row.name == "cn"),
}


def language_of(locale: str) -> Language:
    """The language of a locale such as de, de-AT or dk; English where it is none of the rows'."""
    wanted = locale[:LOCALE_LENGTH_MAX].lower().replace("_", "-")
    row = BY_NAME.get(wanted) or BY_NAME.get(wanted.partition("-")[0]) or BY_NAME[FALLBACK]
    return read_language(row)


@cache
def read_language(row: LanguageRow) -> Language:
    """A language with its words, from its file."""
    text = files(__package__).joinpath(f"{row.tag}.toml").read_text(encoding="utf-8")
    document = tomllib.loads(text)
    return Language(row, document["name"], document["reviewed"], document["words"])
