"""The composition root: builds every part and connects them.

This module alone knows all floors; `simulator/serving.py` puts what it builds behind listeners.
"""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from wsgiref.types import WSGIApplication

from acquirer_mocks.card_host import CardHost
from acquirer_mocks.three_d_secure.application import AcsParts
from acquirer_mocks.wallet_provider import make_token, new_keyring
from scenarios.loader import load_behaviours
from scenarios.steering.amounts import AMOUNTS
from scenarios.steering.cards import OUTCOME_CARDS
from scenarios.steering.order import SteeringRules
from simulator.acs import build_acs
from simulator.adapters.acquiring.connections import CardReach
from simulator.adapters.addresses import ListenerAddresses as Reach
from simulator.adapters.background import Threads
from simulator.adapters.clock import RealClock
from simulator.adapters.health import gauges_of, missing_in
from simulator.adapters.ids import RandomIds, random_hex
from simulator.adapters.journal import JournalRing, MemoryJournal
from simulator.adapters.meter import Metrics, PrometheusMeter
from simulator.adapters.names import FakerNames
from simulator.adapters.sandboxes.registry import SandboxRegistry
from simulator.adapters.sandboxes.runtime import RuntimeParts
from simulator.adapters.store.commit import Durability
from simulator.adapters.store.folder import DataFolder
from simulator.adapters.store.integrity import refuse_broken
from simulator.adapters.three_d_secure.link import ThreeDSecureLink
from simulator.adapters.vault import KeyVault, UnsafeKeyFileError, open_vault
from simulator.adapters.wallets.tokens import TokenWallets
from simulator.adapters.webhooks.sender import Connector
from simulator.catalogue.results import RESULTS
from simulator.domain.core.server_ports import ServerPorts
from simulator.domain.webhooks.targets import AddressPolicy
from simulator.service.payments.recovery import recover
from simulator.service.sandboxes.due_work import next_due, run_due
from simulator.service.sandboxes.sandboxes import default_sandbox
from simulator.settings import Settings, is_loopback, span_of
from simulator.simulators import create_acquirer_factory, create_risk_system_factory
from simulator.throttle_tables import read_throttle_tables
from simulator.web.api import create_api
from simulator.web.health import Watch
from simulator.web.http.answers import bare_body

CONTROL_KEY_DIGITS = 48


@dataclass(frozen=True, slots=True)
class Gateway:
    """The built gateway: a WSGI application, the access data of clients, and how to close it."""

    application: WSGIApplication
    answer: Callable[[int], bytes]
    access: Mapping[str, str]
    reach: Reach
    close: Callable[[], None]
    card_host: CardHost
    card_reach: CardReach
    acs: AcsParts
    directory: ThreeDSecureLink


def build(settings: Settings) -> Gateway:
    """The gateway with every part connected, without listeners.

    Raises SettingsError, FolderInUseError, NoFolderError, UnsafeKeyFileError, DamagedLogError.
    """
    throttles = read_throttle_tables(settings)
    folder = DataFolder(str(settings.data))
    if settings.durability != Durability.MEMORY:
        refuse_broken(settings.data)
    vault = _vault(settings.data)
    clock, ids, meter = RealClock(), RandomIds(), PrometheusMeter()
    ports = (settings.port, settings.live_port)
    reach = Reach(*(f"http://{settings.host}:{port}/" for port in ports))
    behaviours = load_behaviours(judged=False)
    rules = SteeringRules(behaviours, RESULTS, test_cards=OUTCOME_CARDS, amounts=AMOUNTS)
    card_host = CardHost(lambda identity: registry.ports(identity))
    card_reach = CardReach(card_host.serve)
    directory = ThreeDSecureLink(ca=settings.data / "tls" / "ca.pem")
    parts = RuntimeParts(
        clock=clock,
        ids=ids,
        vault=vault,
        acquirer_for=create_acquirer_factory(rules),
        risk_for=create_risk_system_factory(rules),
        card_line=card_reach.connect,
        directory=directory,
        recover=recover,
        next_due=next_due,
        run_due=run_due,
        meter=meter,
        addresses=reach,
        wallets=TokenWallets(new_keys=new_keyring, make=make_token),
        throttles=throttles,
        new_ring=lambda: JournalRing(settings.journal_count, span_of(settings.journal_age)),
        connector=_connector(settings),
        durability=Durability(settings.durability),
    )
    registry = SandboxRegistry(settings.data, parts, idle_s=settings.idle)
    server = _server(settings, parts, registry)
    control_key = settings.control_key or _kept_key(settings.data / "control.key")
    application = create_api(
        server,
        registry,
        control_key=control_key,
        behaviours=behaviours,
        watch=_watch(meter, registry, settings),
        require_tls=settings.require_tls,
    )
    registry.scan_due_work()
    return Gateway(
        application=application,
        answer=lambda status: _bare_answer(status, server, meter),
        access=_access(server, settings, control_key),
        reach=reach,
        close=lambda: _close(registry, folder),
        card_host=card_host,
        acs=build_acs(registry, reach, settings),
        directory=directory,
        card_reach=card_reach,
    )


def _vault(data: Path) -> KeyVault:
    """The vault of a data folder; existing data without its key is refused."""
    key = data / "vault.key"
    if (data / "registry.log").exists() and not key.exists():
        raise UnsafeKeyFileError(
            f"{key}: expected the key of the data beside it, got nothing. "
            "Put it back, or start in another folder"
        )
    return open_vault(key)


def _server(settings: Settings, parts: RuntimeParts, registry: SandboxRegistry) -> ServerPorts:
    return ServerPorts(
        registry=registry,
        clock=parts.clock,
        ids=parts.ids,
        vault=parts.vault,
        journal=MemoryJournal(parts.new_ring(), clock=parts.clock, real=parts.clock),
        names=FakerNames(),
        aside=Threads(),
        profile=settings.profile,
        overrides=settings.override,
        throttles=parts.throttles,
    )


def _watch(meter: PrometheusMeter, registry: SandboxRegistry, settings: Settings) -> Watch:
    return Watch(
        meter=meter,
        metrics=Metrics(meter, gauges_of(registry, settings.data)).text,
        missing=lambda: missing_in(registry, settings.data),
        is_open=is_loopback(settings.host) and settings.public_url is None,
    )


def _bare_answer(status: int, server: ServerPorts, meter: PrometheusMeter) -> bytes:
    meter.unread(status)
    return bare_body(status, now=server.clock.now(), ndc=server.ids.hex(32))


def _connector(settings: Settings) -> Connector:
    """Webhooks may be sent to this machine while the gateway listens on loopback only."""
    policy = AddressPolicy(
        private=settings.allow_private_webhooks, loopback=is_loopback(settings.host)
    )
    return Connector(policy, ca=settings.webhook_ca)


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


def _kept_key(path: Path) -> str:
    """The control key, generated at the first start in a file that only its owner can read."""
    if not path.exists():
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(random_hex(CONTROL_KEY_DIGITS) + "\n")
    return path.read_text(encoding="ascii").strip()


def _close(registry: SandboxRegistry, folder: DataFolder) -> None:
    registry.close()
    folder.release()
