"""Faults of what takes time: pending payments, shoppers who are sent away, and the clock."""

import json
import re
from dataclasses import replace

from features.mutants.changes import as_success, coded, forgiving, with_members
from features.mutants.mutant import EVERYWHERE, fault
from features.mutants.proxy import Asked, Sound
from simulator.client import Answer

PENDING = "000.200.000"
SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400}


@fault("STATE-01", caught_by=("A payment whose outcome is still to come is pending",))
def decides_at_once(asked: Asked, sound: Sound) -> Answer:
    """A payment that is still to be decided is answered as a success."""
    answer = sound.answer(asked)
    return as_success(answer) if answer.code == PENDING and answer.id else answer


@fault("STATE-01", caught_by=("A pending payment becomes final when its time comes",))
def never_decides(asked: Asked, sound: Sound) -> Answer:
    """A payment that was pending is read as pending for ever."""
    answer = sound.answer(asked)
    if answer.code == PENDING and answer.id:
        sound.seen[answer.id] = True
    return coded(replace(answer, status=200), PENDING) if answer.id in sound.seen else answer


@fault("ASYNC-01", caught_by=("An authorisation may be asynchronous too",))
def sends_shoppers_without_parameters(asked: Asked, sound: Sound) -> Answer:
    """A redirect without parameters has no list of them."""
    answer = sound.answer(asked)
    redirect = answer.at("redirect")
    return with_members(answer, redirect={"url": redirect["url"]}) if redirect else answer


@fault("ASYNC-01", caught_by=("Who is sent away has to come back",))
def sends_shoppers_away_for_good(asked: Asked, sound: Sound) -> Answer:
    """Nobody has to say where a shopper who was sent away comes back to."""
    return forgiving(sound.answer(asked), "shopperResultUrl")


@fault("ASYNC-01", caught_by=("A payment by card sends the shopper nowhere",))
def sends_everybody_away(asked: Asked, sound: Sound) -> Answer:
    """Who pays by card is sent away as well."""
    answer = sound.answer(asked)
    away = {"url": "https://bank.example/", "parameters": []}
    return with_members(answer, redirect=away) if answer.at("card.bin") else answer


@fault(
    "ASYNC-01",
    caught_by=(
        "The shopper comes back to the shop with id, resourcePath and the shop's own query",
    ),
)
def forgets_the_shops_own_query(asked: Asked, sound: Sound) -> Answer:
    """The shopper comes back without what the shop had in its address."""
    answer = sound.answer(asked)
    back = answer.headers.get("location", "").replace("order=4711&", "")
    return replace(answer, headers={**answer.headers, "location": back}) if back else answer


@fault("ERR-02", caught_by=("A scripted shopper is sent back as soon as he arrives",))
def sends_back_for_good(asked: Asked, sound: Sound) -> Answer:
    """A shopper is sent back by a redirect that browsers may turn into another question."""
    answer = sound.answer(asked)
    return replace(answer, status=302) if answer.status == 307 else answer


@fault(
    "FORM-01",
    "LIM-03",
    "EVT-04",
    "LIM-02",
    caught_by=(
        "A checkout is alive until its 30 minutes are over",
        "Nobody is called out before 29 minutes are over",
        "A minute begins when the clock says so",
    ),
    doors=EVERYWHERE,
)
def is_a_second_fast(asked: Asked, sound: Sound) -> Answer:
    """Whatever ends after some time ends a second too early."""
    return sound.answer(advancing(asked, by=1))


@fault(
    "FORM-01",
    "STATE-01",
    "EVT-06",
    caught_by=(
        "An unused checkout stops being valid after 30 minutes",
        "A pending payment becomes final when its time comes",
        "A notification is sent again after ever longer times",
    ),
    doors=EVERYWHERE,
)
def is_a_second_slow(asked: Asked, sound: Sound) -> Answer:
    """Whatever ends after some time ends a second too late."""
    return sound.answer(advancing(asked, by=-1))


def advancing(asked: Asked, *, by: int) -> Asked:
    """A request to move the clock, moving it so many seconds more; any other is left alone."""
    seconds = seconds_of(asked)
    if not seconds or not by:
        return asked
    return replace(asked, body=json.dumps({"by": f"{seconds + by}s"}).encode())


def seconds_of(asked: Asked) -> int:
    """By how many seconds a request moves the clock; 0 where it moves none, or to an instant."""
    span = asked.content().get("by", "") if asked.place.endswith("/clock/advance") else ""
    return sum(int(number) * SECONDS[unit] for number, unit in re.findall(r"(\d+)([smhd])", span))
