"""The form of a value, by examples: what is taken and what is refused."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ValueForm:
    """Values that are taken and values that are refused, each under the name of its case."""

    good: Mapping[str, str]
    bad: Mapping[str, str]


def codes(first: int, last: int) -> ValueForm:
    """The form of a code of two digits, from `first` to `last`."""
    return ValueForm(
        good={f"{code:02}": f"{code:02}" for code in range(first, last + 1)},
        bad={
            "below": f"{first - 1:02}",
            "above": f"{last + 1:02}",
            "one-digit": str(first),
            "three-digits": f"0{first:02}",
            "letter": "0a",
        },
    )


def wrong_timestamps(day: str) -> Mapping[str, str]:
    """Values that are no time on `day`, such as 2026-01-31; nor is the 30th of a February."""
    return {
        "date-alone": day,
        "hour-24": f"{day} 24:00:00",
        "no-such-day": f"{day[:4]}-02-30 10:00:00",
        "letter": f"{day} 1a:00:00",
        "without-seconds": f"{day} 13:07",
    }


def times(first: int, last: int) -> ValueForm:
    """The form of a time of a job: values of two digits from `first` to `last`, a list, or any."""
    least, most = f"{first:02}", f"{last:02}"
    below = {"below": f"{first - 1:02}"} if first else {}
    return ValueForm(
        good={"least": least, "most": most, "list": f"{least},{most}", "any": "*"},
        bad={
            **below,
            "above": f"{last + 1:02}",
            "above-in-a-list": f"{least},{last + 1:02}",
            "one-digit": "7",
            "three-digits": f"0{most}",
            "letter": "0a",
            "semicolon": f"{least};{most}",
            "comma-last": f"{least},",
        },
    )
