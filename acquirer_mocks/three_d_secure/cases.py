"""How a card is taken: the courses an authentication can run, and which card runs which.

Source: public facts 8.3 and 9.2; transaction statuses and reasons are those of the EMV 3DS core
protocol. Choices: D-199, D-200.
"""

from collections.abc import Mapping
from typing import NamedTuple

from simulator.catalogue.brands import BRANDS
from simulator.catalogue.test_cards import TEST_CARDS
from simulator.grammar.brands import USUAL_ECIS


class Course(NamedTuple):
    """What an ARes says: a transaction status, and the reason where it is a no."""

    status: str
    reason: str = ""


class Case(NamedTuple):
    """How a card takes part: its usual course, and whether its issuer has a method address."""

    course: str
    has_method: bool = False


# fmt: off
COURSES: Mapping[str, Course] = {
    #  word           status  reason
    "frictionless":  Course("Y"),
    "attempt":       Course("A"),
    "challenge":     Course("C"),
    "informational": Course("I"),
    "not_enrolled":  Course("N", "13"),
    "unavailable":   Course("U", "22"),
    "reject":        Course("R", "11"),
}

CASES: Mapping[str, Case] = {
    #  meaning in the list of test cards               course          method
    "3-D Secure 2: frictionless with method":     Case("frictionless", has_method=True),
    "3-D Secure 2: attempt with method":          Case("attempt",      has_method=True),
    "3-D Secure 2: frictionless":                 Case("frictionless"),
    "3-D Secure 2: attempt":                      Case("attempt"),
    "3-D Secure 2: technical error (status U)":   Case("unavailable"),
    "3-D Secure 2: not enrolled (status N)":      Case("not_enrolled"),
    "3-D Secure 2: challenge with method":        Case("challenge",    has_method=True),
    "3-D Secure 2: challenge":                    Case("challenge"),
    "3-D Secure 1":                               Case("challenge"),
}

# What threeDSRequestorChallengeInd makes of the usual course; the others leave it as it is. An
# exemption (02, 05, 07, 08) spares a shopper the challenge, 04 and 09 demand one.
ASKED: Mapping[tuple[str, str], str] = {
    #  indicator  usual           then
    ("02",        "challenge"):    "frictionless",
    ("04",        "frictionless"): "challenge",
    ("04",        "attempt"):      "challenge",
    ("05",        "challenge"):    "frictionless",
    ("06",        "challenge"):    "informational",
    ("06",        "frictionless"): "informational",
    ("07",        "challenge"):    "frictionless",
    ("08",        "challenge"):    "frictionless",
    ("09",        "frictionless"): "challenge",
}

# What a script may say beyond a course: each is a challenge with something wrong about it.
FAULTS = frozenset({"bad_signature", "replay", "wrong_id", "tampered_status", "late"})
# fmt: on
NO_ANSWER = "no_answer"
ENROLLED, FLOW = "customParameters[3DS2_enrolled]", "customParameters[3DS2_flow]"
FLOWS = {"challenge": "challenge", "frictionless": "frictionless"}


def case_of(number: str) -> Case | None:
    """How the card takes part; None: its range does not, or it is on no list."""
    meanings = (row.meaning for row in TEST_CARDS if row.number == number)
    return CASES.get(next(meanings, ""))


def forced_case(usual: Case | None, parameters: Mapping[str, str]) -> Case | None:
    """What the merchant's custom parameters make of it. Source: public facts 9.1."""
    flow = FLOWS.get(parameters.get(FLOW, ""))
    enrolled = parameters.get(ENROLLED, "").lower()
    if enrolled == "false":
        return None
    if flow is not None:
        return Case(flow, usual is not None and usual.has_method)
    return usual or (Case("frictionless") if enrolled == "true" else None)


def eci_of(brand: str | None, status: str) -> str:
    """The indicator of a scheme for a transaction status."""
    known = BRANDS.get(brand or "")
    row = USUAL_ECIS if known is None else known.ecis
    return {"Y": row.full, "A": row.attempt, "I": row.data}.get(status, row.none)
