"""Faults that the suite does not see, though a merchant would: what it cannot prove, as code.

They are published with the others (docs/makers/mutants.md); a proof shows that every scenario
passes them. One that a new scenario kills moves to the module of its subject, with that scenario.
"""

from dataclasses import dataclass

from features.mutants.changes import changing, lost, taking, with_members
from features.mutants.proxy import Asked, Broken, Sound
from features.mutants.subjects.pending import advancing, seconds_of
from simulator.client import Answer

DAY_S = 86_400
MANY_PAYMENTS, MANY_CAPTURES, MANY_NOTICES = 100_000, 10, 100


@dataclass(frozen=True)
class Unseen:
    """A broken gateway that is passed, and why the suite does not see what is wrong with it."""

    gateway: Broken
    why: str

    @property
    def name(self) -> str:
        """What it is called."""
        return self.gateway.__name__

    @property
    def meaning(self) -> str:
        """What is wrong with it."""
        return (self.gateway.__doc__ or "").strip()


def forgets_payments_after_a_year(asked: Asked, sound: Sound) -> Answer:
    """A payment that was made more than a year ago cannot be read."""
    answer = sound.answer(asked)
    for merchant in answer.at("entities.merchants") or []:
        sound.seen[f"Bearer {merchant['token']}"] = answer.id
    if seconds_of(asked) > 365 * DAY_S:
        sound.seen[asked.place.split("/")[1]] = "a year has passed here"
    shop = sound.seen.get(asked.headers.get("authorization", ""))
    reads = asked.method == "GET" and asked.place.startswith("v1/payments/")
    return lost(answer) if reads and shop in sound.seen else answer


def drifts_a_second_a_day(asked: Asked, sound: Sound) -> Answer:
    """The clock of the gateway gains a second a day."""
    return sound.answer(advancing(asked, by=int(seconds_of(asked) // DAY_S)))


def repeats_ids_in_the_end(asked: Asked, sound: Sound) -> Answer:
    """After a hundred thousand payments ids begin anew."""
    answer = sound.answer(asked)
    ids = sound.seen.setdefault("ids", [])
    if asked.is_payment and answer.id:
        ids.append(answer.id)
    return with_members(answer, id=ids[0]) if len(ids) > MANY_PAYMENTS else answer


def loses_a_cent_on_the_tenth_capture(asked: Asked, sound: Sound) -> Answer:
    """The tenth capture of a payment is booked with a cent less."""
    answer = sound.answer(asked)
    if asked.sent.get("paymentType") != "CP":
        return answer
    count = sound.seen.get(asked.place, 0) + 1
    sound.seen[asked.place] = count
    return changing(answer, "amount", less_a_cent) if count == MANY_CAPTURES else answer


def captures_twice_at_once(asked: Asked, sound: Sound) -> Answer:
    """Two captures at the same moment are both booked, with money for one."""
    if asked.sent.get("paymentType") != "CP":
        return sound.answer(asked)
    others = sound.seen.setdefault(asked.place, [])
    others.append(asked)
    at_once = len(others) > 1
    answer = sound.answer(asked)
    others.remove(asked)
    return taking(answer, "700.400.100", when=at_once)


def tells_a_hundred_things(asked: Asked, sound: Sound) -> Answer:
    """After a hundred notifications of a merchant the oldest are gone."""
    answer = sound.answer(asked)
    if not asked.place.endswith("/inbox"):
        return answer
    return changing(answer, "arrived", lambda arrived: arrived[-MANY_NOTICES:])


def less_a_cent(amount: str) -> str:
    """An amount less a cent; one that ends in a zero keeps its form."""
    return amount if amount.endswith("0") else f"{amount[:-1]}{int(amount[-1]) - 1}"


# fmt: off
UNSEEN = (
    Unseen(forgets_payments_after_a_year,     "no scenario lets more than a year pass"),
    Unseen(drifts_a_second_a_day,             "no scenario asks to the second after days"),
    Unseen(repeats_ids_in_the_end,            "no scenario makes so many payments"),
    Unseen(loses_a_cent_on_the_tenth_capture, "no scenario captures in more than three parts"),
    Unseen(captures_twice_at_once,            "scenarios ask one thing after the other"),
    Unseen(tells_a_hundred_things,            "no scenario causes so many notifications"),
)
# fmt: on
