"""The composition root: builds every part and connects them.

This module alone knows all floors; `simulator/serving.py` puts what it builds behind listeners.
"""

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from wsgiref.types import WSGIApplication

from scenarios.amounts import AMOUNTS
from scenarios.cards import OUTCOME_CARDS
from scenarios.loader import load_behaviours
from scenarios.records import Behaviour
from simulator.adapters.acquiring.connections import CardReach
from simulator.adapters.addresses import ListenerAddresses as Reach
from simulator.adapters.background import Threads
from simulator.adapters.clock import RealClock
from simulator.adapters.console.calls import InProcessCalls
from simulator.adapters.console.classes import ClassBook
from simulator.adapters.console.passwords import Argon2Passwords
from simulator.adapters.console.people_file import PeopleFile
from simulator.adapters.console.recordings import RecordingFiles
from simulator.adapters.console.stages import StageBoard
from simulator.adapters.console.tries import RecentTries
from simulator.adapters.health import SharedLook, folder_probe, gauges_of, missing_in
from simulator.adapters.ids import RandomIds, random_hex
from simulator.adapters.journal import JournalRing, MemoryJournal
from simulator.adapters.key_files import create_key_file, read_control_key
from simulator.adapters.meter import Metrics, PrometheusMeter
from simulator.adapters.names import FakerNames
from simulator.adapters.sandboxes.binding import RuntimeParts
from simulator.adapters.sandboxes.registry import SandboxRegistry
from simulator.adapters.sandboxes.unstored_codes import UnstoredCodes
from simulator.adapters.settlement.epochs import is_begun
from simulator.adapters.settlement.folders import SettlementFolders
from simulator.adapters.sftp.host_key import HostKey, open_host_key
from simulator.adapters.sftp.late_push import LateFilePusher
from simulator.adapters.sftp.outgoing import outgoing_folder
from simulator.adapters.sftp.users import AccessLook, FindUser, SftpUser
from simulator.adapters.simulators import Acs, AcsSurroundings, CardMessageServer, Simulators
from simulator.adapters.store.commit import Durability
from simulator.adapters.store.engine import Engine
from simulator.adapters.store.files import LocalDisk
from simulator.adapters.store.folder import DataFolder, permission_problem
from simulator.adapters.store.integrity import (
    ORPHAN_ADVICE,
    orphans_in,
    refuse_broken,
)
from simulator.adapters.three_d_secure.link import ThreeDSecureLink
from simulator.adapters.turns import ANSWERS, in_turns_of
from simulator.adapters.vault import KeyVault
from simulator.adapters.wallets.tokens import TokenWallets
from simulator.adapters.webhooks.sender import Connector
from simulator.catalogue.results import RESULTS
from simulator.domain.core.transact import transact
from simulator.domain.masking.masking import hide_key
from simulator.domain.ports.console import ConsolePorts
from simulator.domain.ports.server import ServerPorts, Tokens
from simulator.domain.steering.order import SteeringRules
from simulator.domain.throttling.windows import ServerTables
from simulator.domain.webhooks.targets import AddressPolicy
from simulator.engines import OpenEngine, open_engine, open_vault_of
from simulator.membership import fleet_metrics, join_fleet
from simulator.named_files import check_webhook_ca, read_throttle_tables
from simulator.served import console_reach
from simulator.service.console.sign_in import invite_first
from simulator.service.merchants.sftp import find_sftp_merchant, has_sftp_access
from simulator.service.payments.recovery import end_open_attempt
from simulator.service.sandboxes.due_work import next_due, run_due
from simulator.service.sandboxes.recovery import go_on, take_up
from simulator.service.sandboxes.sandboxes import default_sandbox
from simulator.setting_values import span_of
from simulator.settings import Settings, is_reachable_by_others
from simulator.web.api import create_api, create_payments_api
from simulator.web.health import Watch
from simulator.web.http.answers import BareAnswers
from simulator.web.shown_access import ShownAccess

if TYPE_CHECKING:
    from simulator.fleet import FleetSide

LOG = logging.getLogger("sandgate.serving")
ORPHANS_NAMED_MAX = 10
CONTROL_KEY_DIGITS = 48


class Links(NamedTuple):
    """How clients and the parts of the gateway find each other. Before the listeners are open, the
    card host is found inside the process and the others nowhere.
    """

    reach: Reach
    card_reach: CardReach
    directory: ThreeDSecureLink
    calls: InProcessCalls


class SftpParts(NamedTuple):
    """What the SFTP server needs: its host key, and who may log in."""

    key: HostKey
    find: FindUser


@dataclass(frozen=True, slots=True)
class Gateway:
    """The built gateway: a WSGI application, the access data of clients, and how to close it."""

    application: WSGIApplication
    answer: Callable[[int, str], bytes]
    access: Mapping[str, str]
    console_path: str
    close: Callable[[], None]
    card_host: CardMessageServer
    acs: Acs
    links: Links
    sftp: SftpParts
    member: "FleetSide | None" = None


def build(
    settings: Settings,
    simulators: Simulators,
    *,
    open_engine: OpenEngine = open_engine,
) -> Gateway:
    """The gateway with every part connected, without listeners.

    Raises SettingsError, FolderInUseError, NoFolderError, UnsafeKeyFileError, DamagedLogError,
    UnusableDatabaseError.
    """
    throttles = read_throttle_tables(settings)
    check_webhook_ca(settings)
    folder = _own_folder(settings)
    vault, meter, behaviours = open_vault_of(settings), PrometheusMeter(), load_behaviours()
    card_host = simulators.create_card_host(lambda identity: registry.ports(identity))
    directory_key = vault.fingerprint("directory server")  # The same in each process.
    ca = settings.data / "tls" / "ca.pem"
    links = _links(settings, card_host, ca, directory_key)
    engine = open_engine(settings, vault)
    surroundings = links, vault, meter, engine
    parts = _runtime_parts(settings, simulators, behaviours, surroundings, throttles=throttles)
    registry = SandboxRegistry(settings.data, parts, engine, idle_s=settings.idle)
    server = _server(settings, parts, registry)
    metrics = _metrics(meter, registry, settings, engine)
    control_key = _control_key(settings)
    access = _access(server, settings, control_key)
    console = _console(server, settings, links, behaviours=behaviours)
    application: WSGIApplication = create_api(
        server,
        registry,
        control_key=control_key,
        behaviours=behaviours,
        watch=_watch(meter, registry, settings, metrics),
        require_tls=settings.require_tls,
        # The credentials on its own pages: none where other machines can read them.
        shown=ShownAccess(server, is_open=not is_reachable_by_others(settings)),
        console=console,
        reach=console_reach(settings, lambda: links.reach.shared_url),
    )
    acs = simulators.create_acs(AcsSurroundings(registry, links.reach, ca, directory_key))
    answer = BareAnswers(server, meter.unread)
    served = (application, acs, answer, metrics, _payments_api(server, meter, settings))
    member = join_fleet(settings, engine, registry, served=served, console=console)
    if member is not None:
        application, acs = member.gateway, member.acs
    links.calls.connect(application, acs.application)
    registry.scan_due_work()
    return Gateway(
        application=application,
        answer=answer,
        access=access,
        console_path=_console_path(console, member),
        close=lambda: _close(registry, folder),
        card_host=card_host,
        acs=acs,
        links=links,
        sftp=_sftp_parts(server, settings),
        member=member,
    )


def _payments_api(
    server: ServerPorts, meter: PrometheusMeter, settings: Settings
) -> Callable[[Tokens], WSGIApplication]:
    """What makes the application for sandboxes that have their home at another member."""
    return partial(create_payments_api, server, meter=meter, require_tls=settings.require_tls)


def _own_folder(settings: Settings) -> DataFolder:
    """The data folder of this gateway, or of the members of its fleet on this machine."""
    folder = DataFolder(str(settings.data), is_shared=settings.peer_key is not None)
    _check_folder(settings)
    return folder


def _links(settings: Settings, card_host: CardMessageServer, ca: Path, key: str) -> Links:
    """How the parts find each other; `key` is that of the gateway at the directory server."""
    addresses = (f"http://{settings.host}:{port}/" for port in (settings.port, settings.live_port))
    reach = Reach(*addresses, is_acs_given=settings.public_acs_url is not None)
    return Links(
        reach=reach,
        card_reach=CardReach(card_host.serve),
        directory=ThreeDSecureLink(ca=ca, key=key),
        calls=InProcessCalls(reach),
    )


def _console(
    server: ServerPorts, settings: Settings, links: Links, *, behaviours: Mapping[str, Behaviour]
) -> ConsolePorts:
    def epoch_of(identity: str) -> str | None:
        sandbox = server.registry.sandbox(identity)
        return None if sandbox is None else sandbox.epoch_id

    return ConsolePorts(
        server,
        PeopleFile(settings.data, LocalDisk()),
        Argon2Passwords(server.aside.of("passwords")),
        RecentTries(),
        StageBoard(settings.data, LocalDisk()),
        ClassBook(settings.data, LocalDisk()),
        RecordingFiles(settings.data, LocalDisk(), epoch_of=epoch_of),
        links.calls.ask,
        in_turns_of,
        behaviours,
    )


def _sftp_parts(server: ServerPorts, settings: Settings) -> SftpParts:
    """Each merchant that has access sees its own outgoing folder. Choice: D-420."""
    key = open_host_key(settings.data / "sftp.key")

    def find(name: str) -> SftpUser | None:
        found = find_sftp_merchant(server, name)
        if found is None or not is_begun(settings.data, found.sandbox, server.registry):
            return None
        folder = outgoing_folder(settings.data, found.sandbox, found.merchant)
        # Each look of a member of a fleet asks the database.
        every_s = 0.0 if settings.peer_key is None else 1.0
        look = AccessLook(partial(has_sftp_access, server, found), every_s)
        return SftpUser(name, found.password, found.keys, folder, found.sandbox, look)

    return SftpParts(key, find)


def _runtime_parts(
    settings: Settings,
    simulators: Simulators,
    behaviours: Mapping[str, Behaviour],
    surroundings: tuple[Links, KeyVault, PrometheusMeter, Engine],
    *,
    throttles: ServerTables,
) -> RuntimeParts:
    """What each sandbox in memory is made of."""
    links, vault, meter, engine = surroundings
    connector = _connector(settings)
    rules = SteeringRules(behaviours, RESULTS, test_cards=OUTCOME_CARDS, amounts=AMOUNTS)
    return RuntimeParts(
        clock=RealClock(),
        ids=RandomIds(),
        vault=vault,
        codes=UnstoredCodes(),
        acquirer_for=simulators.create_acquirer_factory(rules),
        risk_for=simulators.create_risk_system_factory(rules),
        card_line=links.card_reach.connect,
        directory=links.directory,
        recover=take_up,
        go_on=go_on,
        next_due=next_due,
        run_due=run_due,
        end_attempt=end_open_attempt,
        meter=meter,
        addresses=links.reach,
        wallets=TokenWallets(new_keys=simulators.new_keyring, make=simulators.make_token),
        throttles=throttles,
        new_ring=lambda: JournalRing(settings.journal_count, span_of(settings.journal_age)),
        connector=connector,
        clearing=simulators.clearing,
        settlement_files=lambda sandbox, store: SettlementFolders(
            settings.data,
            sandbox,
            lambda: store.pause(0),
            alone=partial(engine.steer, sandbox),
            pusher=LateFilePusher(connector.of_sandbox().dial),
        ),
    )


def _check_folder(settings: Settings) -> None:
    """Say in the log who else may write in the data folder; refuse one that is broken."""
    problem = permission_problem(settings.data)
    if problem is not None:
        LOG.warning("%s: %s", *problem)
    if settings.durability != Durability.MEMORY and settings.store is None:
        refuse_broken(settings.data)
        for orphan in orphans_in(settings.data)[:ORPHANS_NAMED_MAX]:
            LOG.warning("%s belongs to no sandbox: %s", orphan, ORPHAN_ADVICE)


def _server(settings: Settings, parts: RuntimeParts, registry: SandboxRegistry) -> ServerPorts:
    return ServerPorts(
        registry=registry,
        clock=parts.clock,
        ids=parts.ids,
        vault=parts.vault,
        journal=MemoryJournal(parts.new_ring(), clock=parts.clock, real=parts.clock),
        names=FakerNames(),
        aside=Threads(),
        turn=ANSWERS.taken,
        profile=settings.profile,
        overrides=settings.override,
        throttles=parts.throttles,
    )


def _metrics(
    meter: PrometheusMeter, registry: SandboxRegistry, settings: Settings, engine: Engine
) -> Callable[[], bytes]:
    local = Metrics(meter, gauges_of(registry, settings.data)).text
    return fleet_metrics(settings, engine, local)


def _watch(
    meter: PrometheusMeter,
    registry: SandboxRegistry,
    settings: Settings,
    metrics: Callable[[], bytes],
) -> Watch:
    return Watch(
        meter=meter,
        metrics=SharedLook(metrics),
        missing=SharedLook(partial(missing_in, registry, folder_probe(settings.data))),
        is_open=not is_reachable_by_others(settings),
    )


def _connector(settings: Settings) -> Connector:
    """Webhooks may be sent to this machine while no other machine can reach the gateway."""
    policy = AddressPolicy(
        private=settings.allow_private_webhooks, loopback=not is_reachable_by_others(settings)
    )
    return Connector(policy, ca=settings.webhook_ca)


def _access(server: ServerPorts, settings: Settings, control_key: str) -> dict[str, str]:
    # Members of a fleet may start on an empty database at once.
    default = transact(server.registry, lambda: default_sandbox(server))
    tokens = {"token": default.token, "live_token": default.live_token}
    return {
        "control_key": control_key,
        "sandbox_id": default.sandbox_id,
        "entity_id": default.entity_id,
        # None that is suspended, which would open nothing.
        **{name: text for name, text in tokens.items() if text},
        "profile": settings.profile,
        "throttle": server.throttles.throttle.name,
        "live_throttle": server.throttles.live_throttle.name,
    }


def _console_path(console: ConsolePorts, member: "FleetSide | None") -> str:
    """Where people begin: the console, or the link that makes its first administrator."""
    if member is not None and not member.has_console():
        return "console"
    secret = invite_first(console)
    return "console" if secret is None else f"console/invitations/{secret}"


def _control_key(settings: Settings) -> str:
    """The key of the control API, from now on hidden in logs. Raises UnsafeKeyFileError."""
    key = settings.control_key or _kept_key(settings.data / "control.key")
    hide_key(key)
    return key


def _kept_key(path: Path) -> str:
    """The control key, generated at the first start in a file that only its owner can read.

    Raises UnsafeKeyFileError.
    """
    if not path.exists():
        create_key_file(path, random_hex(CONTROL_KEY_DIGITS))
    return read_control_key(path)


def _close(registry: SandboxRegistry, folder: DataFolder) -> None:
    registry.close()
    folder.release()
