"""References: which payment may refer to which, and what it does to it."""

from dataclasses import dataclass

from simulator.grammar.choices import Choices

TAKE = "take"
VOID = "void"
REPEAT = "repeat"


@dataclass(frozen=True, slots=True)
class Reference:
    """One payment type that refers to an earlier payment.

    `to` are the types it may refer to; `also` more of them where the choice `choice` is "accept".
    `effect` says whether it takes from the earlier payment's amount, voids it, or repeats it.
    `unsuitable`, `unknown` and `used_up` are the result codes where the earlier payment is of
    another type or never succeeded, does not exist, or has nothing left to give.
    """

    type: str
    to: tuple[str, ...]
    effect: str
    amount_needed: bool
    unsuitable: str
    unknown: str
    used_up: str
    what: str
    choice: str = ""
    also: tuple[str, ...] = ()

    def types(self, choices: Choices) -> tuple[str, ...]:
        """The types it may refer to under `choices`."""
        if self.choice and choices[self.choice] == "accept":
            return (*self.to, *self.also)
        return self.to
