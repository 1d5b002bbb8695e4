"""A gateway as a member of a fleet: the member before its applications, and its internal listener.

Only a gateway that is a member imports this module: it needs the extra `postgresql`.
"""

import logging
import os
from collections.abc import Callable
from typing import NamedTuple
from wsgiref.types import WSGIApplication

from simulator.adapters.fleet.acs_forwarding import AcsForwarder
from simulator.adapters.fleet.beside import BesideHomes, BesideParts
from simulator.adapters.fleet.calm_home import CalmHome
from simulator.adapters.fleet.calm_messages import CalmLine
from simulator.adapters.fleet.forwarding import ForwarderParts, RequestForwarder
from simulator.adapters.fleet.giving import GiverParts, SandboxGiver
from simulator.adapters.fleet.home_application import HomeApplication
from simulator.adapters.fleet.internal import InternalApplication, MemberParts, ask_to_hand_over
from simulator.adapters.fleet.metrics import FleetMetrics
from simulator.adapters.fleet.peers import LostForwardError, Peers, UnservedError
from simulator.adapters.fleet.places import CONSOLE
from simulator.adapters.postgresql.engine import PostgresEngine
from simulator.adapters.postgresql.fleet import Fleet
from simulator.adapters.sandboxes.registry import SandboxRegistry
from simulator.adapters.simulators import Acs
from simulator.adapters.store.engine import FleetPeer
from simulator.domain.ports.console import ConsolePorts
from simulator.domain.ports.server import Tokens
from simulator.web.http.answers import BareAnswers

LOG = logging.getLogger("sandgate.fleet")
# What a supervisor starts again.
ENDED_STATUS = 75


class Behind(NamedTuple):
    """What forwarding stands before: gateway and ACS, the bodies of answers that come from neither
    of them, the metrics, and an application of payments alone, for those who hold certain tokens.
    """

    gateway: WSGIApplication
    acs: Acs
    answer: BareAnswers
    metrics: FleetMetrics
    payments: Callable[[Tokens], WSGIApplication]


class FleetSide(NamedTuple):
    """The applications of a member. `begin` is called with the address of the internal listener;
    `leave` returns when no sandbox has its home here any more; `has_console` says whether this
    member is the home of the console; `calm` are its calm sandboxes, `beside` those that it serves
    beside their homes.
    """

    gateway: WSGIApplication
    acs: Acs
    internal: WSGIApplication
    begin: Callable[[str], None]
    leave: Callable[[], None]
    has_console: Callable[[], bool]
    calm: CalmHome
    beside: BesideHomes


def metrics_of(engine: PostgresEngine, key: str, local: Callable[[], bytes]) -> FleetMetrics:
    """The metrics of the fleet whose members share the secret `key`; `local` are those of this
    process.
    """
    fleet = engine.fleet
    assert fleet is not None, "it was opened with the address of a member"
    return FleetMetrics(local, fleet.member.number, peers=Peers(key), members=fleet.members)


def member_of(
    engine: PostgresEngine,
    registry: SandboxRegistry,
    behind: Behind,
    *,
    key: str,
    console: ConsolePorts,
) -> FleetSide:
    """This gateway as a member of the fleet that shares the secret `key`."""
    fleet = engine.fleet
    assert fleet is not None, "it was opened with the address of a member"
    peers, acs = behind.metrics.peers, behind.acs
    member, homes = fleet.member, fleet.homes
    line = CalmLine(peers, member.number, fleet.members)
    calm = CalmHome(homes, registry, line)
    beside = BesideHomes(BesideParts(engine, homes, registry, line))
    beside.serve_by(behind.payments(beside))
    gateway = HomeApplication(behind.gateway, calm, behind.answer.not_stored)
    giver = SandboxGiver(
        GiverParts(homes, calm, beside, line, registry.hand_over, gateway.under_way)
    )

    def fetch(home: FleetPeer, identity: str) -> None:
        try:
            ask_to_hand_over(peers, home, identity, to=member.number)
        except (UnservedError, LostForwardError) as error:
            LOG.info("sandbox %s is not handed over: %s", identity, error)

    def look() -> None:
        registry.refresh()
        if free := [each for each in homes.take_free() if each != CONSOLE]:
            registry.take_up(free)
        present = {each.number for each in fleet.members()}
        homes.forget_gone(present)
        peers.give_up(present)
        calm.look(present)
        beside.look()

    homes.fetch_by(fetch)
    homes.steered, fleet.leaving = calm.end, beside.stop
    _share(fleet, console)
    parts = ForwarderParts(lambda: member.is_valid, homes, peers, behind.answer, beside)
    browsers = AcsForwarder(acs.application, member.number, peers=peers, members=fleet.members)
    served = MemberParts(gateway, acs.application, giver, calm, beside, behind.metrics.local)
    return FleetSide(
        gateway=RequestForwarder(gateway, parts, registry.sandbox_of_token),
        acs=acs._replace(application=browsers, move=lambda url: acs.move(browsers.base(url))),
        internal=InternalApplication(key, homes, served),
        begin=lambda url: fleet.begin(url, look=look, end=_end),
        leave=giver.give_all,
        has_console=lambda: homes.home_of(CONSOLE) is None,
        calm=calm,
        beside=beside,
    )


def _share(fleet: Fleet, console: ConsolePorts) -> None:
    """What people share is read again by the member that becomes its home."""
    kept = (console.people, console.classes, console.stages, console.recordings)

    def read_again(identity: str) -> None:
        if identity == CONSOLE:
            for each in kept:
                each.read_again()

    fleet.homes.taken = read_again


def _end() -> None:
    """End the process: what it holds in memory is not its own any more, and must not be stored."""
    logging.shutdown()
    os._exit(ENDED_STATUS)
