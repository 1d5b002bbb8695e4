"""Examples of the forms of fields that no payment has, but a schedule, the registration of an
agreement, a report or a chargeback; and of the entity of every request.
"""

from collections.abc import Mapping

from features.spec.value_forms import ValueForm, times, wrong_timestamps

# fmt: off
REQUEST_FORMS: Mapping[str, ValueForm] = {
    "entity": ValueForm(
        good={"ordinary": "0123456789abcdef" * 2},
        bad={"too-short": "8" * 31, "too-long": "8" * 33, "capitals": "8AC7A4C7" * 4,
             "wrong-character": "8" * 31 + "g", "hyphen": "8" * 31 + "-",
             "other-digits": "8" * 31 + "\N{ARABIC-INDIC DIGIT THREE}"}),
    "small amount": ValueForm(
        good={"shortest": "1", "two-decimals": "9.90", "longest-integer": "12345678",
              "longest": "12345678.99"},
        bad={"one-decimal": "9.9", "three-decimals": "9.900", "too-long": "123456789",
             "too-long-with-decimals": "123456789.00", "negative": "-9.90", "comma": "9,90",
             "no-integer": ".90", "letter": "9a", "trailing-newline": "9.90\n"}),
    "timestamp with a zone": ValueForm(
        good={"ordinary": "2026-01-31 13:07:09", "with-a-zone": "2026-01-31 13:07:09+0000"},
        bad=wrong_timestamps("2026-01-31")),
    "timestamp to come": ValueForm(
        good={"ordinary": "2098-01-31 13:07:09", "last-second": "2098-12-31 23:59:59"},
        bad={**wrong_timestamps("2098-01-31"), "minute-60": "2098-01-31 13:60:09"}),
    "years": ValueForm(
        good={"one": "2099", "list": "2098,2099", "any": "*"},
        bad={"two-digits": "99", "five-digits": "20990", "letter": "209a",
             "two-digits-in-a-list": "2098,99", "semicolon": "2098;2099", "comma-last": "2098,"}),
    "months": times(1, 12),
    "days of a month": times(1, 31),
    "days of a week": ValueForm(
        good={"least": "1", "most": "7", "list": "1,7", "any": "*"},
        bad={"above": "8", "above-in-a-list": "1,8", "two-digits": "01", "letter": "a",
             "semicolon": "1;7", "comma-last": "1,"}),
    "hours": times(0, 23),
    "minutes or seconds": times(0, 59),
    "number": ValueForm(
        good={"one-digit": "1", "two-digits": "14", "three-digits": "100"},
        bad={"negative": "-1", "decimals": "1.5", "letter": "1a", "blank": "1 4"}),
    "expression": ValueForm(
        good={"ordinary": "0 0 12 5 * ?", "with-a-year": "0 0 12 ? * 2 2099"},
        bad={}),
    "chargeback reason": ValueForm(
        good={"first": "000.100.200", "last": "000.100.299"},
        bad={"one-digit": "000.100.20", "three-digits": "000.100.2000", "letter": "000.100.2a0",
             "another-group": "000.100.300", "hyphens": "000-100-200",
             "trailing-newline": "000.100.200\n"}),
}
# fmt: on
