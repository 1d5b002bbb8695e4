"""References: which payment may refer to which, and what it does to it."""

from dataclasses import dataclass

from simulator.grammar.choices import Choices

TAKE = "take"
VOID = "void"
REPEAT = "repeat"
DISPUTE = "dispute"
RESTORE = "restore"

# What holds an amount of the earlier payment while the acquirer is asked.
HOLDING = frozenset({TAKE, VOID})


@dataclass(frozen=True, slots=True)
class Reference:
    """One payment type that refers to an earlier payment.

    `to` are the types it may refer to; `also` more of them where the choice `choice` is "accept".
    `what` says in words, and `effect` to the code, whether it takes from the earlier payment's
    amount, voids it, repeats it, disputes it, or ends a dispute. What is `booked` has happened
    already: the acquirer is not asked.
    `too_late` are types it could refer to in other flows: they are answered as if used up.
    `unsuitable`, `unknown` and `used_up` are the result codes where the earlier payment is of
    another type or never succeeded, does not exist, or has nothing left to give; `cut_off` where
    it moved money on an earlier day, `again` where it may be done once and was, `at_end` where
    nothing more may follow, `platform_only` where the channel leaves it to the platform.
    """

    type: str
    to: tuple[str, ...]
    effect: str
    amount_needed: bool
    what: str
    unsuitable: str
    unknown: str
    used_up: str
    choice: str = ""
    also: tuple[str, ...] = ()
    too_late: tuple[str, ...] = ()
    booked: bool = False
    cut_off: str = ""
    again: str = ""
    at_end: str = ""
    platform_only: str = ""

    def types(self, choices: Choices) -> tuple[str, ...]:
        """The types it may refer to under `choices`."""
        if self.choice and choices[self.choice] == "accept":
            return (*self.to, *self.also)
        return self.to
