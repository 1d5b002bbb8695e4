"""How long the check of a request takes, and jsonschema on the same document by the same rules.

Run as `python -m simulator.tests.measured.check_timing ROUNDS` with a form on standard input.
Prints one JSON line: microseconds a check, a value a round, for both.
"""

import json
import sys
from collections.abc import Callable
from time import perf_counter
from urllib.parse import parse_qsl

from jsonschema import Draft202012Validator

from simulator.catalogue.choices import CHOICES
from simulator.catalogue.operations.endpoints import OPERATIONS
from simulator.derive.checks.check import compile_check
from simulator.derive.schemas.requests import request_schema
from simulator.grammar.choices import choose

CHECKS, VALIDATIONS = 2000, 40


def main(rounds: int, form: str) -> None:
    """Time both in turn, after each was tried once on a request that keeps every rule."""
    sent = dict(parse_qsl(form, strict_parsing=True))
    choices = choose(CHOICES, "specification")
    check = compile_check(OPERATIONS["create_payment"], choices)
    validator = Draft202012Validator(request_schema(OPERATIONS["create_payment"], choices))
    assert check.violations_of(sent) == list(validator.iter_errors(sent)) == []
    timed: dict[str, list[float]] = {"check": [], "jsonschema": []}
    for _ in range(rounds):
        timed["check"].append(microseconds(lambda: check.violations_of(sent), CHECKS))
        timed["jsonschema"].append(
            microseconds(lambda: list(validator.iter_errors(sent)), VALIDATIONS)
        )
    print(json.dumps({"parameters": len(sent), **timed}))


def microseconds(call: Callable[[], object], times: int) -> float:
    """What one of so many calls takes."""
    began = perf_counter()
    for _ in range(times):
        call()
    return (perf_counter() - began) / times * 1e6


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.stdin.read().strip())
