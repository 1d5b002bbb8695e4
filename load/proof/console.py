"""The console as its people meet it: size and time of pages, lines of the journal on many screens,
a step on the stage and back, a class that joins.

Screens ask as the page's own script does. The payments come from one shopper with think time, so
that the rate is offered and not as much as the gateway can take.
"""

import re
import zlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex
from threading import Event
from time import monotonic, perf_counter, sleep
from typing import NamedTuple

from features.support.console import ConsolePerson, text_of
from load.bench.generator import drive
from load.bench.payment import payment_requests
from load.gateway.server import ROOT, start_gateway
from load.proof.merchant import ProofMerchant, create_merchant
from simulator.client import Answer, Connection
from simulator.client.processes import ServerProcess

ASSET = re.compile(r'(?:href|src)="(/console/assets/[^"]+)"')
NEWEST = re.compile(r'data-newest="(\d+)"')
VERSION = re.compile(r'data-version="([^"]+)"')
LINK = re.compile(r"/console/join/[0-9a-f]+")
NEXT, BACK = 'data-key=" "', 'data-key="ArrowLeft"'
OPENINGS = 40
RATE = 200
# What the script of the page waits before it asks for the journal again.
PAUSE_S = 0.15
LESSON = "first-payment"
CENTS = 92_00
PACKAGES = ("web/console", "service/console", "domain/console", "adapters/console")


class PageFigures(NamedTuple):
    """Bytes of a page with what it loads, bytes of the next one, seconds of each opening."""

    first: int
    later: int
    openings: tuple[float, ...]


class ScreenFigures(NamedTuple):
    """Payments a second without screens and beside them, and for each payment the seconds until the
    last screen showed it.
    """

    rate_alone: float
    rate_beside: float
    waits: tuple[float, ...]


@contextmanager
def console_of(folder: Path) -> Iterator[tuple[ServerProcess, ConsolePerson]]:
    """A gateway, and the first administrator of its console."""
    with start_gateway(folder) as server:
        yield server, _administrator(server)


def measure_pages(server: ServerProcess, person: ConsolePerson, stored: int) -> PageFigures:
    """Open the payments of a sandbox where so many are stored."""
    merchant = create_merchant(server)
    client = merchant.client
    template = payment_requests(server.base_url, token=client.token, entity_id=client.entity_id)
    drive(template, requests_max=stored)
    path = f"/console/{merchant.sandbox}/payments"
    page = person.open(path)
    loaded = sum(_size(person.open(each)) for each in set(ASSET.findall(text_of(page))))
    apart = max(1, stored // OPENINGS)
    times = tuple(
        _seconds(person, f"{path}?below={stored - number * apart}") for number in range(OPENINGS)
    )
    return PageFigures(_size(page) + loaded, _size(page), times)


def measure_screens(
    server: ServerProcess, person: ConsolePerson, *, screens: int, seconds: float
) -> ScreenFigures:
    """Pay at RATE without screens, then while so many show the journal."""
    merchant = create_merchant(server)
    alone = _pay(merchant, seconds)
    path = f"/console/{merchant.sandbox}/journal"
    begun = int(NEWEST.findall(text_of(person.open(path)))[0])
    over = Event()
    with ThreadPoolExecutor(screens) as pool:
        watching = [pool.submit(_watch, person.another(), path, over) for _ in range(screens)]
        sleep(1)
        beside = _pay(merchant, seconds)
        sleep(1)
        over.set()
        seen = [each.result() for each in watching]
    ended = int(NEWEST.findall(text_of(person.open(path)))[0])
    lines = (ended - begun) / len(beside)
    waits = tuple(
        max(_shown_at(screen, begun + lines * (number + 1)) for screen in seen) - at
        for number, at in enumerate(beside)
    )
    return ScreenFigures(_rate(alone), _rate(beside), waits)


def measure_stage(person: ConsolePerson, rounds: int) -> tuple[list[float], list[float]]:
    """The seconds from a step to its picture, and from a step back to its picture."""
    person.open("/console/lessons")
    begun = person.send("/console/lessons", {"story": LESSON})
    stage = begun.headers["location"]
    steps, backs = [], []
    for _ in range(rounds):
        steps.append(_deed(person, stage, "next"))
        backs.append(_deed(person, stage, "back"))
    return steps, backs


def measure_class(server: ServerProcess, person: ConsolePerson, participants: int) -> float:
    """The seconds in which a class joins, all at once."""
    person.open("/console/classes")
    page = person.send("/console/classes", {"seed": "1"})
    link = LINK.findall(text_of(page))[0]
    visitors = [ConsolePerson(Connection(server.base_url)) for _ in range(participants)]
    began = perf_counter()
    with ThreadPoolExecutor(participants) as pool:
        joins = [
            pool.submit(each.send, link, {"name": f"Student {number}"})
            for number, each in enumerate(visitors)
        ]
        statuses = {each.result().status for each in joins}
    taken = perf_counter() - began
    assert statuses == {303}, f"expected 303 to each who joins, got {statuses}"
    return taken


def packed_bytes() -> int:
    """What the console adds to a wheel: its files, each compressed."""
    folders = [ROOT / "simulator" / each for each in PACKAGES]
    files = [each for folder in folders for each in folder.rglob("*") if each.is_file()]
    return sum(len(zlib.compress(each.read_bytes())) for each in files if each.suffix != ".pyc")


def _administrator(server: ServerProcess) -> ConsolePerson:
    person = ConsolePerson(Connection(server.base_url, timeout_s=60))
    link = server.facts["console_url"]
    path = f"/console/{link.partition('/console/')[2]}"
    joined = person.send(path, {"name": "anna", "password": token_hex()})
    assert joined.status == 303, f"expected 303 to who joins, got {joined.status}"
    person.open("/console/people")
    return person


def _size(answer: Answer) -> int:
    assert answer.status == 200, f"expected a page, got {answer.status}"
    return int(answer.headers["content-length"])


def _seconds(person: ConsolePerson, path: str) -> float:
    began = perf_counter()
    person.open(path)
    return perf_counter() - began


def _pay(merchant: ProofMerchant, seconds: float) -> list[float]:
    """Pay at RATE; the instants of the answers."""
    began = monotonic()
    answered: list[float] = []
    while (now := monotonic()) < began + seconds:
        due = began + len(answered) / RATE
        if due > now:
            sleep(due - now)
        merchant.authorize(CENTS)
        answered.append(monotonic())
    return answered


def _rate(answered: list[float]) -> float:
    return (len(answered) - 1) / (answered[-1] - answered[0])


def _watch(person: ConsolePerson, path: str, over: Event) -> list[tuple[float, int]]:
    """What a screen showed: instants, and the newest number of the journal."""
    newest, shown = "", []
    while not over.is_set():
        found = NEWEST.findall(text_of(person.open(f"{path}/now?after={newest}")))
        newest = found[0]
        shown.append((monotonic(), int(newest)))
        sleep(PAUSE_S)
    return shown


def _shown_at(screen: list[tuple[float, int]], number: float) -> float:
    return next((at for at, newest in screen if newest >= number), float("inf"))


def _deed(person: ConsolePerson, stage: str, deed: str) -> float:
    """Press a button of the stage, and wait until the picture is at rest: after the first step
    there is a way back, before it there is none.
    """
    page = text_of(person.open(stage))
    began = perf_counter()
    person.send(f"{stage}/{deed}", {})
    while not (NEXT in page and (BACK in page) == (deed == "next")):
        shown = VERSION.findall(page)[0]
        page = text_of(person.open(f"{stage}/now?after={shown}"))
    return perf_counter() - began
