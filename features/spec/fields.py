"""What a format in words means: `AN255, 8-255 chars` is 8 to 255 characters of any kind.

This is a second reading of the specification's tables, made without the gateway's. Where the two
differ, a boundary case fails, and the specification has to be read again.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache

from features.spec.tables import SpecificationRow, rows


@dataclass(frozen=True, slots=True)
class FieldLimits:
    """The limits of one field. Lengths are in characters; `most` is None where none is given.

    `characters` is a class of `CHARACTERS`. `values` lists the only values there are, if they are
    listed. `form` names an entry of `forms.FORMS` where length and characters do not say it all.
    """

    name: str
    least: int = 1
    most: int | None = None
    characters: str = "any"
    values: tuple[str, ...] = ()
    form: str = ""


class UnknownFormatError(ValueError):
    """A format in words that nothing below understands."""


# One character of each class, and near ones that do not belong to it.
CHARACTERS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "any": ("a", ()),
    "letters": ("a", ("1", "!")),
    "digits": ("1", ("a", "-", "\N{ARABIC-INDIC DIGIT THREE}")),
    "letters and digits": ("a", ("!", "#")),
    "letters, digits, underscore": ("a", ("!", "-")),
    "letters, digits, dot": ("a", ("!", "#")),
    "letters, digits, hyphen": ("a", ("!", "#")),
    "letters, digits, plus, hyphen, dot": ("a", ("!", "#")),
}

# Forms, by the words that announce them. The first that fits is taken.
_FORMS = (
    (r"N10\.N2 with mandatory two decimals|N13", "two decimals"),
    (r"N10\.N2", "amount"),
    (r"N8\.N2", "small amount"),
    (r"up to 12 integer digits", "quantity"),
    (r".*percentage 0 to 100", "percentage"),
    (r".*yyyy-MM-dd [hH]{2}:mm:ss", "timestamp"),
    (r".*yyyy-MM-dd", "date"),
    (r"N2, 01-12", "01-12"),
    (r"N2, 01-08", "01-08"),
    (r"01-09", "01-09"),
    (r"01-04", "01-04"),
    (r".*starts with 19 or 20", "year"),
    (r".*2 letters, 2 digits, then 11-27", "iban"),
    (r".*8 or 11 letters and digits", "bic"),
    (r".*exactly 28, Base64", "base64 of 28"),
    (r".*exactly 64, Base64", "base64 of 64"),
    (r".*\(36 chars\)", "transaction id"),
    (r"digit\.digit\.digit", "version"),
    (r".*(starts with \+ or digit|same character set)", "phone"),
    (r"valid URL", "url"),
    (r".*URL-encoded", "callback"),
    (r"signed decimal, 1-2", "latitude"),
    (r"signed decimal, up to 3", "longitude"),
    (r"A2 letters, or N3 digits", "country or number"),
    (r"A3(, uppercase|, ISO 4217)", "currency"),
    (r"(key|name) AN", "map"),
    (r"000\.100\.2", "chargeback reason"),
    (r"one value, comma-separated", "years"),
    (r"single-digit values", "days of a week"),
    (r"2-digit values", "days of a month"),
    (r"number", "number"),
    (r"cron", "expression"),
    (r"defined by|AN or N;|Bearer", "free"),
)

_CLASSES = (*sorted((name for name in CHARACTERS if name != "any"), key=len, reverse=True),)
_FORMAT_WORDS = {"letters", "digits", "underscore", "uppercase", "dot", "AN"}


@cache
def request_fields() -> Mapping[str, FieldLimits]:
    """The limits of every field a request may carry, by name, in the order of the specification."""
    by_name = {row.name: row for row in rows() if row.direction == "request"}
    found: dict[str, FieldLimits] = {}
    last: FieldLimits | None = None
    for row in by_name.values():
        last = limits_of(_resolved(row, by_name), last)
        found[row.name] = last
    return found


def limits_of(row: SpecificationRow, last: FieldLimits | None = None) -> FieldLimits:
    """The limits that a row writes in words; a bare `same` means those of the row before it.

    Raises UnknownFormatError.
    """
    if row.words.startswith("same") and last is not None:
        return replace(last, name=row.name)
    values = _values_in(row)
    if values:
        return FieldLimits(row.name, values=values)
    for words, form in _FORMS:
        if re.match(words, row.words):
            return FieldLimits(row.name, form=form)
    limits = _lengths(row)
    if limits.most is None and row.words != "AN":
        raise UnknownFormatError(f"{row.name}: {row.words!r}")
    return replace(limits, characters=_characters(row.words))


def _resolved(row: SpecificationRow, by_name: Mapping[str, SpecificationRow]) -> SpecificationRow:
    """The row with `as customer.sex` and `same values as noticeUnit` replaced by what they mean."""
    if row.rule.startswith("as customer."):
        other = by_name[row.rule.removeprefix("as ")]
        return replace(row, words=other.words, rule=other.rule)
    match = re.match(r"same values as (\w+)", row.words)
    if match:
        return replace(row, words=by_name[f"{row.name.split('.')[0]}.{match[1]}"].words)
    return row


def _values_in(row: SpecificationRow) -> tuple[str, ...]:
    """The values listed in the format, or in the first sentence of the rule where it is bare."""
    named = re.search(r"named in the material: (.*?) \(|Always (POS)\.", row.rule)
    if named:
        return _split((named[1] or named[2]).replace(" and", ""))
    listed = _split(re.sub(r"^(AN?\d+[:,] |one of )", "", row.words).split(";")[0])
    if _is_list(listed, r"[A-Za-z]+(_[A-Za-z]+)*"):
        return listed
    sentence = _split(row.rule.split(". ")[0].removesuffix("."))
    bare = "exactly" not in row.words
    return sentence if bare and _is_list(sentence, r"[A-Z]+(_[A-Z]+)*") else ()


def _split(text: str) -> tuple[str, ...]:
    return tuple(re.split(r",? or |, ", text))


def _is_list(words: Iterable[str], pattern: str) -> bool:
    words = set(words)
    fits = all(re.fullmatch(pattern, word) for word in words)
    return len(words) > 1 and fits and not words & _FORMAT_WORDS


def _lengths(row: SpecificationRow) -> FieldLimits:
    exact = re.search(r"exactly (\d+)", row.words)
    if exact:
        return FieldLimits(row.name, least=int(exact[1]), most=int(exact[1]))
    between = re.search(r"(?:^|, )(\d+)-(\d+)(?:$| chars| digits)", row.words)
    if between:
        return FieldLimits(row.name, least=int(between[1]), most=int(between[2]))
    longest = re.match(r"(?:AN|A|N)(\d+)", row.words)
    return FieldLimits(row.name, most=int(longest[1]) if longest else None)


def _characters(words: str) -> str:
    """The class the words name. `A128 ... chars` is any: a holder may be 800.100.152."""
    for name in _CLASSES:
        if re.search(rf"(^|[ ,]){name}\b", words):
            return name
    return "digits" if re.match(r"N\d", words) else "any"
