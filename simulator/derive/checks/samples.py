"""Samples of every format: the shortest and longest value it takes, and the nearest it refuses."""

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from simulator.grammar.formats import Format
from simulator.grammar.names import parts_of
from simulator.grammar.parameters import Param

NUL = "\x00"
REPLACEMENT = "\ufffd"
ARABIC_THREE = "\u0663"


class Sample(NamedTuple):
    """One value, under the name of its case, and whether the format takes it."""

    case: str
    value: str
    taken: bool


def samples_of(format: Format) -> list[Sample]:
    """The samples of a resolved format, those it takes first; never empty, which is absent."""
    distinct: dict[str, Sample] = {}
    for sample in (*KINDS[format.kind](format), *_unreadable(format)):
        if sample.value:
            distinct.setdefault(sample.value, sample)
    return sorted(distinct.values(), key=lambda sample: not sample.taken)


def key_samples_of(row: Param) -> list[Sample]:
    """The samples of the key in a row's brackets; none where it has no key."""
    return samples_of(row.key) if row.key else []


def concrete(name: str, *, key: str = "abc") -> str:
    """A name that may be sent for a catalogue name: index 0, the key given, the first scheme."""
    parts = parts_of(name)
    first, *rest = parts.skeleton.split("[]")
    filled = ("0" if content == "n" else key for content in parts.contents)
    return first + "".join(f"[{content}]{part}" for content, part in zip(filled, rest, strict=True))


def most(format: Format) -> int:
    """The longest value of a format that has a limit, as every format of a value has."""
    return format.max or 0


def _taken(**cases: str) -> Iterator[Sample]:
    return (Sample(case.replace("_", " "), value, True) for case, value in cases.items())


def _refused(**cases: str) -> Iterator[Sample]:
    return (Sample(case.replace("_", " "), value, False) for case, value in cases.items())


def _unreadable(format: Format) -> Iterator[Sample]:
    """No format takes what no keyboard wrote. Choice: D-04."""
    good = next(sample.value for sample in KINDS[format.kind](format) if sample.taken)
    yield from _refused(
        nul=NUL + good[1:],
        broken_utf_8=REPLACEMENT + good[1:],
        escape=f"\x1b{good[1:]}",
        line_separator=f"{good[:-1]}\u2028",
        turned_around=f"\u202e{good[1:]}",
    )
    if format.kind != "text":
        yield from _refused(newline_after=f"{good}\n")


def _of_length(filler: str, *, wrong: str = "") -> Callable[[Format], Iterator[Sample]]:
    """Samples of a format that is a class of characters, filled with one of them."""

    def samples(format: Format) -> Iterator[Sample]:
        shortest = filler * max(format.min, 1)
        longest = filler * most(format)
        yield from _taken(shortest=shortest, longest=longest)
        if format.min > 1:
            yield from _refused(too_short=shortest[:-1])
        yield from _refused(too_long=longest + filler)
        for number, character in enumerate(wrong, 1):
            yield Sample(f"wrong character {number}", shortest[:-1] + character, False)

    return samples


def _text(format: Format) -> Iterator[Sample]:
    yield from _of_length("x")(format)
    yield from _taken(longest_in_umlauts="\u00e4" * most(format))
    if most(format) > 2:
        yield from _taken(with_lines=("x\r\n\tx" * most(format))[: most(format)])
    yield from _refused(too_long_in_umlauts="\u00e4" * (most(format) + 1))


def _choice(format: Format) -> Iterator[Sample]:
    first, last = format.values[0], format.values[-1]
    yield from (Sample(value, value, True) for value in format.values)
    yield from _refused(not_in_the_list=f"{last}X", blank_before=f" {first}")
    for case, other in (("lower case", first.lower()), ("upper case", first.upper())):
        if other not in format.values:
            yield Sample(case, other, False)


def _amount(format: Format) -> Iterator[Sample]:
    whole = "9" * (most(format) - 3)
    yield from _taken(shortest="0", two_decimals="92.00", longest=f"{whole}.99")
    yield from _taken(longest_without_decimals=whole)
    yield from _refused(
        one_decimal="92.0",
        three_decimals="92.000",
        too_long=f"1{whole}",
        negative="-20.20",
        comma="92,00",
        no_integer=".50",
        other_digits=f"9{ARABIC_THREE}.00",
    )


def _amount_with_decimals(format: Format) -> Iterator[Sample]:
    whole = "9" * (most(format) - 3)
    yield from _taken(shortest="0.00", longest=f"{whole}.99")
    yield from _refused(
        without_decimals="92",
        one_decimal="92.0",
        three_decimals="92.000",
        too_long=f"1{whole}.99",
        negative="-1.00",
        comma="92,00",
    )


def _decimal(format: Format) -> Iterator[Sample]:
    whole, fraction = "9" * (most(format) - 10), "9" * 8
    yield from _taken(shortest="5.1", longest=f"-{whole}.{fraction}", signed="+5.1")
    yield from _refused(
        too_many_digits=f"1{whole}.1", too_many_decimals=f"5.{fraction}9", without_decimals="52"
    )


def _fixed(*, good: tuple[str, ...], **wrong: str) -> Callable[[Format], Iterator[Sample]]:
    """Samples written out: `good` are taken, every other case is refused."""

    def samples(format: Format) -> Iterator[Sample]:
        yield from (Sample(f"good {number}", value, True) for number, value in enumerate(good, 1))
        yield from _refused(**wrong)

    return samples


def _opaque(format: Format) -> Iterator[Sample]:
    yield Sample("anything", "anything", True)


def _base64(format: Format) -> Iterator[Sample]:
    value = ("AAABBWFlmQ/+" * 6)[: most(format) - 1]
    yield from _taken(exact=f"{value}=", without_padding=f"{value}A")
    yield from _refused(
        too_short=value,
        too_long=f"{value}AA",
        wrong_character=f"{value[:-1]}!=",
        padding_first=f"={value}",
    )


def _url_of(length: int) -> str:
    return "https://shop.example/".ljust(length, "a")


def _callback_url(format: Format) -> Iterator[Sample]:
    yield from _taken(shortest="a://bc", longest=_url_of(most(format)))
    yield from _taken(
        fragment="https://shop.example/#/done", script="https://sh\u00f6p.example/\u00e4"
    )
    yield from _refused(
        too_short="a://b", too_long=_url_of(most(format) + 1), blank="https://a b.example",
        no_url="shop.example/done", user="https://me@shop.example/", no_host="https:///done",
    )  # fmt: skip


def _web_url(format: Format) -> Iterator[Sample]:
    yield from _taken(shortest="http://a", longest=_url_of(most(format)))
    yield from _taken(
        fragment="https://shop.example/#/done", script="https://sh\u00f6p.example/\u00e4"
    )
    yield from _refused(
        app="shop://done", user="https://me@shop.example/", no_url="shop.example/done",
        port="https://shop.example:65536/", too_long=_url_of(most(format) + 1),
        blank="https://a b.example",
    )  # fmt: skip


def _url(format: Format) -> Iterator[Sample]:
    yield from _taken(ordinary="https://shop.example/item?id=1", longest=_url_of(most(format)))
    yield from _refused(
        no_url="no url at all", no_host="https:///a", too_long=_url_of(most(format) + 1)
    )


def _alphanumeric(format: Format) -> Iterator[Sample]:
    yield from _of_length("a", wrong="!#\u00e4")(format)
    for sign in "._-+":
        value = sign.ljust(format.min, "a")
        yield Sample(f"sign {sign}", value, sign in format.signs)


# fmt: off
KINDS: Mapping[str, Callable[[Format], Iterator[Sample]]] = {
    "text":                 _text,
    "letters":              _of_length("J", wrong="1!_"),
    "alphanumeric":         _alphanumeric,
    "letter code":          _of_length("E", wrong="1!"),
    "digits":               _of_length("1", wrong=f"a- {ARABIC_THREE}"),
    "hex":                  _of_length("8", wrong="gA"),
    "choice":               _choice,
    "amount":               _amount,
    "amount with decimals": _amount_with_decimals,
    "decimal":              _decimal,
    "base64":               _base64,
    "callback url":         _callback_url,
    "web url":              _web_url,
    "url":                  _url,
    "header":               _opaque,
    "structure":            _opaque,
    "country":  _fixed(good=("DE", "US"), not_in_the_list="QQ", one_letter="D", three_letters="DEU",
                       digit="D1"),
    "currency": _fixed(good=("EUR", "GBP"), lower_case="eur", not_in_the_list="QQQ",
                       two_letters="EU", four_letters="EURO", digits="978"),
    "date":     _fixed(good=("2099-12-31", "2096-02-29"), no_such_day="2026-02-30",
                       no_leap_day="2026-02-29", no_leap_century="2100-02-29",
                       month_13="2026-13-01", year_0="0000-01-01", day_first="31-12-2026",
                       one_digit_month="2026-1-31"),
    "timestamp": _fixed(good=("2026-01-31 13:07:09", "2026-12-31 23:59:59"),
                        date_alone="2026-01-31", hour_24="2026-01-31 24:00:00",
                        no_such_day="2026-02-30 10:00:00", without_seconds="2026-01-31 13:07"),
    "day or timestamp": _fixed(good=("2026-01-31", "2026-01-31 13:07:09"),
                               no_such_day="2026-02-30", without_seconds="2026-01-31 13:07"),
    "zoned timestamp": _fixed(good=("2026-01-31 13:07:09", "2026-01-31 13:07:09+0000"),
                              half_a_zone="2026-01-31 13:07:09+00", date_alone="2026-01-31"),
    "response timestamp": _fixed(good=("2026-01-31 13:07:09+0000",), no_zone="2026-01-31 13:07:09"),
    "year":     _fixed(good=("2034", "1999"), century_21="2134", two_digits="34", too_long="20340",
                       letter="203a"),
    "iban":     _fixed(good=("NO9386011117947", "MT84MALT011000012345MTLCAST001S"),
                       too_short="NO938601111794", too_long="MT84MALT011000012345MTLCAST001SX",
                       digits_first="1289370400440532013000", blank="DE89 3704 0044 0532 0130"),
    "bic":      _fixed(good=("MARKDEF1", "MARKDEF1100"), seven="MARKDEF", nine="MARKDEF11",
                       twelve="MARKDEF11000", wrong_character="MARKDEF!"),
    "phone":    _fixed(good=("1", "+49 (0)30/123-45.6", "1" * 25), too_long="1" * 26,
                       hyphen_first="-123", letter="+49a"),
    "version":  _fixed(good=("1.0.2", "2.2.0"), too_high="3.0.0", too_low="0.1.0", two_parts="2.2",
                       letter="2.a.0"),
    "quantity": _fixed(good=("1", "999999999999", "999999999999.999"), too_long="1" * 13,
                       four_decimals="1.5555", negative="-1", comma="1,5"),
    "percentage": _fixed(good=("0", "19.25", "100", "100.00"), above="100.01", far_above="101",
                         negative="-1", three_decimals="1.255"),
    "country or number": _fixed(good=("DE", "276"), one_letter="D", three_letters="DEU",
                                two_digits="27", four_digits="2767", mixed="D1"),
    "listed times": _fixed(good=("*",), nothing=",", letter="a", star_in_a_list="*,*"),
    "chargeback reason": _fixed(good=("000.100.200", "000.100.299"), another="000.100.112",
                                one_digit="000.100.20"),
    "result code": _fixed(good=("00", "000.100.110"), too_short="0", too_long="000.100.1100",
                          letter="000.a"),
    "page size":   _fixed(good=("1", "99", "500"), nothing="0", too_high="501", zero_first="01"),
    "page number": _fixed(good=("1", "999999"), nothing="0", too_high="1000000", letter="a"),
    "payment types":   _fixed(good=("PA", "PA,CP,PA.CP"), small="pa", blank="PA, CP"),
    "payment methods": _fixed(good=("CC", "CC,DD"), small="cc", blank="CC, DD"),
    "score":    _fixed(good=("0", "-99999", "+99999"), too_high="100000", letter="a"),
}
# fmt: on
