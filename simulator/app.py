"""The composition: builds every part, hands them to each other, and serves.

This module alone knows all floors. `build` makes the gateway, `serve` puts it behind listeners.
"""

import gc
import json
import logging
import os
import signal
import sys
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from urllib.parse import urlsplit

import gevent
from gevent.event import Event
from gevent.socket import wait_read

from acquirer_mocks.card_host import CardHost
from acquirer_mocks.three_d_secure.application import FarSide
from acquirer_mocks.wallet_provider import make_token, new_keyring
from scenarios.amounts import AMOUNTS
from scenarios.cards import OUTCOME_CARDS
from scenarios.loader import load_behaviours
from scenarios.steering import Rules
from simulator.acs import build_far_side, open_far_side
from simulator.adapters.addresses import Addresses as Reach
from simulator.adapters.aside import Threads
from simulator.adapters.card_lines import CardReach, listener_for
from simulator.adapters.clock import RealClock
from simulator.adapters.commit import Durability
from simulator.adapters.folder import DataFolder, FolderInUse, NoFolder
from simulator.adapters.ids import RandomIds, random_hex
from simulator.adapters.integrity import advice_on, refuse_broken
from simulator.adapters.journal import MemoryJournal, Ring
from simulator.adapters.links import Links
from simulator.adapters.logs import set_up_logging
from simulator.adapters.meter import Meter, Metrics
from simulator.adapters.names import FakerNames
from simulator.adapters.server import (
    AddressTaken,
    Limits,
    Listener,
    close_listeners,
    open_listener,
)
from simulator.adapters.standing import gauges_of, missing_in
from simulator.adapters.three_d_secure_link import ThreeDSecureLink
from simulator.adapters.tls import Certificate, certificate_for, server_context
from simulator.adapters.vault import KeyVault, UnsafeKeyFile, open_vault
from simulator.adapters.wallets import Wallets
from simulator.adapters.world import Parts
from simulator.adapters.worlds import Worlds
from simulator.catalogue.limits import BODY_BYTES_MAX
from simulator.catalogue.results import RESULTS
from simulator.chosen import tables_of
from simulator.domain.errors import BrokenLog
from simulator.domain.server_ports import ServerPorts
from simulator.domain.targets import Policy
from simulator.far_side import acquirers_by, risk_systems_by
from simulator.service.due import next_due, run_due
from simulator.service.recovery import recover
from simulator.service.sandboxes import default_sandbox
from simulator.settings import Settings, is_loopback, span_of
from simulator.web.answers import bare_body
from simulator.web.api import create_api
from simulator.web.control.snapshots import RESTORE
from simulator.web.watching import Watch

LOG = logging.getLogger("sandgate.app")
CONTROL_PATH = "_sandbox/v1/"
CONTROL_KEY_DIGITS = 48
LOOPBACK = "127.0.0.1"
# Containers more than at the last look: a hundredth of a second's work, a few megabytes at most.
COLLECTED_AT = 10_000
EVERY_ADDRESS = ("0.0.0.0", "::")


class CannotStart(Exception):
    """The gateway cannot start; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class Gateway:
    """The built gateway: a WSGI application, what a client needs to know, and how to end it."""

    application: Callable
    answer: Callable[[int], bytes]
    access: Mapping[str, str]
    reach: Reach
    close: Callable[[], None]
    card_host: CardHost
    card_reach: CardReach
    far_side: FarSide
    directory: ThreeDSecureLink


@dataclass(frozen=True, slots=True)
class Addresses:
    """Where a gateway listens; each ends with a slash, but the card host is a host and a port."""

    base_url: str
    tls_url: str
    live_url: str
    control_url: str
    card_host: str = ""
    acs_url: str = ""


def serve(settings: Settings) -> None:
    """Build, listen, say so, and serve until a signal asks to stop.

    Raises CannotStart, SettingsError.
    """
    set_up_logging(settings.log, settings.log_level)
    try:
        gateway = build(settings)
    except BrokenLog as error:
        more = "`sandgate doctor` lists every log that is damaged"
        raise CannotStart(f"{error}. What to do: {advice_on(error)}. {more}") from error
    except (FolderInUse, NoFolder, UnsafeKeyFile, OSError) as error:
        raise CannotStart(str(error)) from error
    try:
        certificate = _certificate(settings)
        listeners = open_listeners(gateway, certificate, settings)
        # Listened for before anybody is told: a signal may come as soon as the addresses are known.
        asked = _asked_to_stop(settings)
        addresses = addresses_of(listeners, settings)
        addresses = replace(addresses, card_host=_open_card_host(gateway, settings))
        tls = server_context(certificate) if settings.require_tls else None
        acs = open_far_side(gateway.far_side, settings, answer=gateway.answer, tls=tls)
        listeners["acs"], addresses = acs.listener, replace(addresses, acs_url=acs.url)
        gateway.directory.move(acs.local_url)
        ours = addresses.tls_url if settings.require_tls else addresses.base_url
        gateway.reach.move(settings.public_url or ours, addresses.live_url)
        _spare_what_stays()
        _announce(gateway, addresses, settings, ca=certificate.ca)
        asked.wait()
        LOG.info("stopping: requests in flight finish first; a second signal ends at once")
        cut = close_listeners(listeners.values(), grace_s=settings.grace)
        LOG.info("stopped; requests cut: %d", cut)
    except AddressTaken as error:
        raise CannotStart(str(error)) from error
    finally:
        gateway.close()


def build(settings: Settings) -> Gateway:
    """The gateway with every part in place, not listening yet.

    Raises SettingsError, FolderInUse, NoFolder, UnsafeKeyFile, BrokenLog.
    """
    throttles = tables_of(settings)
    folder = DataFolder(str(settings.data))
    if settings.durability != Durability.MEMORY:
        refuse_broken(settings.data)
    vault = _vault(settings.data)
    clock, ids, meter = RealClock(), RandomIds(), Meter()
    ports = (settings.port, settings.live_port)
    reach = Reach(*(f"http://{settings.host}:{port}/" for port in ports))
    behaviours = load_behaviours(judged=False)
    rules = Rules(behaviours, RESULTS, test_cards=OUTCOME_CARDS, amounts=AMOUNTS)
    card_host = CardHost(lambda identity: worlds.ports(identity))
    card_reach = CardReach(card_host.serve)
    directory = ThreeDSecureLink(ca=settings.data / "tls" / "ca.pem")
    parts = Parts(
        clock=clock,
        ids=ids,
        vault=vault,
        acquirer_for=acquirers_by(rules),
        risk_for=risk_systems_by(rules),
        card_line=card_reach.connect,
        directory=directory,
        recover=recover,
        next_due=next_due,
        run_due=run_due,
        meter=meter,
        addresses=reach,
        wallets=Wallets(new_keys=new_keyring, make=make_token),
        throttles=throttles,
        new_ring=lambda: Ring(settings.journal_count, span_of(settings.journal_age)),
        links=_links(settings),
        durability=Durability(settings.durability),
    )
    worlds = Worlds(settings.data, parts, idle_s=settings.idle)
    server = _server(settings, parts, worlds)
    control_key = settings.control_key or _kept_key(settings.data / "control.key")
    application = create_api(
        server,
        worlds,
        control_key=control_key,
        behaviours=behaviours,
        watch=_watch(meter, worlds, settings),
        require_tls=settings.require_tls,
    )
    worlds.look_through()
    return Gateway(
        application=application,
        answer=lambda status: _bare_answer(status, server, meter),
        access=_access(server, settings, control_key),
        reach=reach,
        close=lambda: _close(worlds, folder),
        card_host=card_host,
        far_side=build_far_side(worlds, reach, settings),
        directory=directory,
        card_reach=card_reach,
    )


def open_listeners(
    gateway: Gateway, certificate: Certificate, settings: Settings
) -> dict[str, Listener]:
    """The listeners of plain HTTP, HTTPS and the live host by their names. Raises AddressTaken.

    Where TLS is required the live host speaks it too.
    """
    tls = server_context(certificate)
    rows = (
        #  name    port                 TLS
        ("plain", settings.port, None),
        ("tls", settings.tls_port, tls),
        ("live", settings.live_port, tls if settings.require_tls else None),
    )
    listeners = {}
    for name, port, context in rows:
        listeners[name] = open_listener(
            name,
            (settings.host, 0 if settings.port == 0 else port),
            gateway.application,
            answer=gateway.answer,
            limits=Limits(body_bytes_max=BODY_BYTES_MAX, streamed=frozenset({RESTORE})),
            tls=context,
        )
    return listeners


def _open_card_host(gateway: Gateway, settings: Settings) -> str:
    """Let the card host listen, on this machine alone; the address. Raises CannotStart.

    It asks nobody who he is: whoever reaches it may take payments. Choice: D-186.
    """
    port = 0 if settings.port == 0 else settings.card_port
    try:
        listener = listener_for((LOOPBACK, port), gateway.card_host.serve)
    except OSError as error:
        advice = "choose another --card-port, or --port 0 for any free ones"
        reason = os.strerror(error.errno or 0)
        raise CannotStart(f"card host, {LOOPBACK} port {port}: {reason}; {advice}") from error
    address = (LOOPBACK, int(listener.server_port))
    gateway.card_reach.move(address)
    return f"{address[0]}:{address[1]}"


def addresses_of(listeners: Mapping[str, Listener], settings: Settings) -> Addresses:
    """Where clients reach the listeners."""
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    plain, tls, live = (listeners[name].server_port for name in ("plain", "tls", "live"))
    tls_url = f"https://{host}:{tls}/"
    base_url = f"http://{host}:{plain}/"
    return Addresses(
        base_url=base_url,
        tls_url=tls_url,
        live_url=f"{'https' if settings.require_tls else 'http'}://{host}:{live}/",
        control_url=(tls_url if settings.require_tls else base_url) + CONTROL_PATH,
    )


def _vault(data: Path) -> KeyVault:
    """The vault of a data folder; data without its key is refused, for a new key opens nothing."""
    key = data / "vault.key"
    if (data / "registry.log").exists() and not key.exists():
        raise UnsafeKeyFile(
            f"{key}: expected the key of the data beside it, got nothing. "
            "Put it back, or start in another folder"
        )
    return open_vault(key)


def _server(settings: Settings, parts: Parts, worlds: Worlds) -> ServerPorts:
    return ServerPorts(
        registry=worlds,
        clock=parts.clock,
        ids=parts.ids,
        vault=parts.vault,
        journal=MemoryJournal(parts.new_ring(), world=parts.clock, real=parts.clock),
        names=FakerNames(),
        aside=Threads(),
        profile=settings.profile,
        overrides=settings.override,
        throttles=parts.throttles,
    )


def _watch(meter: Meter, worlds: Worlds, settings: Settings) -> Watch:
    return Watch(
        meter=meter,
        metrics=Metrics(meter, gauges_of(worlds, settings.data)).text,
        missing=lambda: missing_in(worlds, settings.data),
        is_open=is_loopback(settings.host) and settings.public_url is None,
    )


def _bare_answer(status: int, server: ServerPorts, meter: Meter) -> bytes:
    meter.unread(status)
    return bare_body(status, now=server.clock.now(), ndc=server.ids.hex(32))


def _links(settings: Settings) -> Links:
    """Notifications may go to this machine while nobody else can reach the gateway."""
    policy = Policy(
        private=settings.allow_private_webhooks, loopback=is_loopback(settings.host)
    )
    return Links(policy, ca=settings.webhook_ca)


def _access(server: ServerPorts, settings: Settings, control_key: str) -> dict[str, str]:
    default = default_sandbox(server)
    return {
        "control_key": control_key,
        "token": default.token,
        "live_token": default.live_token,
        "entity_id": default.entity_id,
        "profile": settings.profile,
        "throttle": server.throttles.throttle.name,
        "live_throttle": server.throttles.live_throttle.name,
    }


def _certificate(settings: Settings) -> Certificate:
    hosts = [settings.host] if settings.host not in EVERY_ADDRESS else []
    if settings.public_url is not None:
        hosts.append(urlsplit(settings.public_url).hostname or "")
    return certificate_for(hosts, folder=settings.data / "tls", now=RealClock().now())


def _kept_key(path: Path) -> str:
    """The control key made at the first start, in a file for its owner alone."""
    if not path.exists():
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(random_hex(CONTROL_KEY_DIGITS) + "\n")
    return path.read_text(encoding="ascii").strip()


def _spare_what_stays() -> None:
    """Have the collector pass over what the start made, and look seldom at what is made later.

    Requests waited 70 ms every few seconds otherwise. Nearly nothing of a request is in a circle,
    so that reference counts free it.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(COLLECTED_AT)


def _announce(gateway: Gateway, addresses: Addresses, settings: Settings, *, ca: Path) -> None:
    if settings.ready_json:
        print(json.dumps(asdict(addresses) | dict(gateway.access)), flush=True)
        return
    from simulator.banner import print_banner  # rich takes longer to import than to print.

    print_banner(asdict(addresses) | dict(gateway.access), ca=ca)


def _asked_to_stop(settings: Settings) -> Event:
    """Set at the first SIGTERM or SIGINT; a second one ends the process at once."""
    asked = Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        gevent.signal_handler(number, lambda: os._exit(1) if asked.is_set() else asked.set())
    if settings.stop_at_eof:
        gevent.spawn(_read_to_end, sys.stdin.fileno()).link(lambda _: asked.set())
    return asked


def _read_to_end(handle: int) -> None:
    wait_read(handle)
    while os.read(handle, 4096):
        wait_read(handle)


def _close(worlds: Worlds, folder: DataFolder) -> None:
    worlds.close()
    folder.release()
