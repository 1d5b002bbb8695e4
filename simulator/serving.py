"""Open the listeners of the gateway, print their addresses, and serve until a stop signal."""

import ctypes
import gc
import json
import logging
import os
import signal
import sys
from dataclasses import asdict, replace
from pathlib import Path
from time import monotonic

import gevent
from gevent.event import Event
from gevent.socket import wait_read

from simulator.acs import AcsBeside, open_acs
from simulator.adapters.access import refused_write
from simulator.adapters.acquiring.connections import listener_for
from simulator.adapters.clock import RealClock
from simulator.adapters.http.hosts import host_check
from simulator.adapters.http.limits import Limits, for_members
from simulator.adapters.http.server import (
    AddressInUseError,
    Listener,
    ListenerOptions,
    allow_connections,
    close_listeners,
    free_port_advice,
    new_budgets,
    open_listener,
)
from simulator.adapters.http.tls import Certificate, certificate_for, server_context
from simulator.adapters.key_files import UnsafeKeyFileError
from simulator.adapters.logs import set_up_logging
from simulator.adapters.sftp.listener import SftpListener
from simulator.adapters.simulators import load_simulators
from simulator.adapters.store.engine import UnusableDatabaseError
from simulator.adapters.store.folder import FolderInUseError, NoFolderError
from simulator.adapters.store.integrity import advice_on
from simulator.app import Gateway, build
from simulator.domain.core.errors import (
    DamagedLogError,
    DamagedRecordError,
    DiskError,
    UnreachableStoreError,
)
from simulator.engines import OpenEngine, open_engine
from simulator.served import (
    LOOPBACK,
    ServedAddresses,
    addresses_of,
    console_base,
    hosts_in_certificate,
    in_address,
    names_of,
    near_host,
    reach_of,
)
from simulator.settings import Settings

LOG = logging.getLogger("sandgate.serving")
# Plain, TLS and live, those of the ACS and of SFTP.
LISTENERS = 5
# Another member would take a connection that ends while it sends for one that was lost.
PEER_IDLE_S = 24 * 3600.0
# How long a member that stops takes requests of clients that do not know it yet.
LAST_REQUESTS_S = 1.0
# The same for another member that found a sandbox here just before it was handed over.
LAST_FORWARDED_S = 0.2
# SIGHUP comes where a terminal closes.
STOP_SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
# New containers before a garbage collection. A reference cycle stays in memory until then:
# simulator/tests/http/test_circles.py checks that requests leave none.
COLLECTED_AT = 10_000
# Of mallopt: blocks of so many bytes and more are mapped one by one.
M_MMAP_THRESHOLD, LARGE_BLOCK_BYTES = -3, 128 * 1024


class CannotStartError(Exception):
    """The gateway cannot start; the message says why and what to do."""


def serve(settings: Settings, *, open_engine: OpenEngine = open_engine) -> None:
    """Build the gateway, open its listeners, and serve until a stop signal.

    Raises CannotStartError, SettingsError.
    """
    set_up_logging(settings.log, settings.log_level)
    try:
        gateway = build(settings, load_simulators(), open_engine=open_engine)
    except DamagedLogError as error:
        raise CannotStartError(_damage_in(error)) from error
    except UnusableDatabaseError as error:
        raise CannotStartError(f"the database of --store: {error}") from error
    except UnreachableStoreError as error:
        expected = f"expected one that stores, got: {error.reason}"
        advice = "see that it runs and has room, then start again"
        raise CannotStartError(f"the database of --store: {expected}; {advice}") from error
    except (FolderInUseError, NoFolderError, UnsafeKeyFileError) as error:
        raise CannotStartError(str(error)) from error
    except (OSError, DiskError) as error:
        raise CannotStartError(_refused_by_disk(error, settings.data)) from error
    try:
        certificate = _certificate(settings)
        options = _options(gateway, settings)
        shared = options._replace(is_shared=settings.share_ports)
        listeners = open_listeners(gateway, certificate, settings, options=shared)
        # Before the addresses are printed: a signal may come as soon as they are known.
        asked = _asked_to_stop(settings)
        addresses = addresses_of(listeners, settings)
        addresses = replace(addresses, card_host=_open_card_host(gateway, settings))
        if gateway.member is not None:
            listeners["peer"] = _open_internal(gateway, settings, options=options)
        tls = server_context(certificate) if settings.require_tls else None
        acs = open_acs(gateway.acs, settings, options=options, tls=tls)
        listeners["acs"], addresses = acs.listener, replace(addresses, acs_url=acs.url)
        sftp = _open_sftp(gateway, settings)
        addresses = replace(
            addresses,
            sftp=f"{near_host(settings)}:{sftp.port}",
            sftp_fingerprint=gateway.sftp.key.fingerprint,
        )
        gateway.links.directory.move(acs.local_url)
        gateway.links.calls.move_acs(acs.url)
        console = console_base(addresses, settings) + gateway.console_path
        addresses = replace(addresses, console_url=console)
        gateway.links.reach.move(*reach_of(addresses, settings))
        _spare_what_stays()
        _give_back_large_blocks()
        _announce(gateway, addresses, settings, ca=certificate.ca)
        asked.wait()
        LOG.info("stopping: requests in flight finish first; a second signal ends at once")
        cut = _finish(gateway, listeners, grace_s=settings.grace)
        sftp.close()
        LOG.info("stopped; requests cut: %d", cut)
    except AddressInUseError as error:
        raise CannotStartError(str(error)) from error
    finally:
        gateway.close()


def _finish(gateway: Gateway, listeners: dict[str, Listener], *, grace_s: float) -> int:
    """Let the requests in flight finish, and the other members have what comes; how many requests
    did not finish in the time of grace.
    """
    if gateway.member is None:
        return close_listeners(listeners.values(), grace_s=grace_s)
    internal, until = listeners.pop("peer"), monotonic() + grace_s + LAST_REQUESTS_S
    leaving = gevent.spawn(gateway.member.leave)
    # Others serve on: clients that find the connection closed would take it for a failure.
    cut = close_listeners(listeners.values(), grace_s=grace_s, idle_s=LAST_REQUESTS_S)
    # Until all is theirs the others send requests here.
    leaving.join(max(0.0, until - monotonic()))
    leaving.kill()
    left_s = max(0.0, until - monotonic())
    return cut + close_listeners([internal], grace_s=left_s, idle_s=LAST_FORWARDED_S)


def _options(gateway: Gateway, settings: Settings) -> ListenerOptions:
    limits = Limits(connections_max=allow_connections(LISTENERS))
    is_misdirected = host_check(names_of(settings))
    return ListenerOptions(gateway.answer, new_budgets(), is_misdirected, limits)


def open_listeners(
    gateway: Gateway, certificate: Certificate, settings: Settings, *, options: ListenerOptions
) -> dict[str, Listener]:
    """The listeners of plain HTTP, HTTPS and the live host by their names. Raises
    AddressInUseError.

    Where TLS is required the live host speaks it too.
    """
    tls = server_context(certificate)
    acs = gateway.acs.application
    application = AcsBeside(gateway.application, acs, require_tls=settings.require_tls)
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
            application,
            options=options,
            tls=context,
        )
    return listeners


def _open_card_host(gateway: Gateway, settings: Settings) -> str:
    """Let the card host listen, on this machine alone; the address. Raises CannotStartError.

    It does not authenticate its callers: each one that reaches it may make payments. Choice: D-186.
    """
    port = 0 if settings.port == 0 else settings.card_port
    try:
        listener = listener_for((LOOPBACK, port), gateway.card_host.serve)
    except OSError as error:
        advice = free_port_advice("--card-port")
        reason = os.strerror(error.errno or 0)
        raise CannotStartError(f"card host, {LOOPBACK} port {port}: {reason}; {advice}") from error
    address = (LOOPBACK, int(listener.server_port))
    if gateway.member is None:
        # A member stays with its own, since the port may lead to another one.
        gateway.links.card_reach.move(address)
    return f"{address[0]}:{address[1]}"


def _open_internal(gateway: Gateway, settings: Settings, *, options: ListenerOptions) -> Listener:
    """Let the other members of the fleet reach this one. Raises AddressInUseError."""
    assert gateway.member is not None, "asked of a member"
    limits = replace(for_members(options.limits), idle_s=PEER_IDLE_S)
    inner = options._replace(is_misdirected=lambda host: False, limits=limits)
    address = (settings.peer_host, settings.peer_port)
    listener = open_listener("peer", address, gateway.member.internal, options=inner)
    host = in_address(settings.peer_host)
    gateway.member.begin(settings.peer_url or f"http://{host}:{listener.server_port}/")
    return listener


def _open_sftp(gateway: Gateway, settings: Settings) -> SftpListener:
    """Let the SFTP server listen. Raises CannotStartError."""
    port = 0 if settings.port == 0 else settings.sftp_port
    try:
        return SftpListener((settings.host, port), gateway.sftp.key.text, gateway.sftp.find)
    except OSError as error:
        advice = free_port_advice("--sftp-port")
        reason = os.strerror(error.errno or 0)
        raise CannotStartError(
            f"SFTP server, {settings.host} port {port}: {reason}; {advice}"
        ) from error


def _certificate(settings: Settings) -> Certificate:
    hosts = hosts_in_certificate(settings)
    try:
        return certificate_for(hosts, folder=settings.data / "tls", now=RealClock().now())
    except UnsafeKeyFileError as error:
        raise CannotStartError(str(error)) from error
    except OSError as error:
        raise CannotStartError(refused_write(error, settings.data / "tls")) from error


def _damage_in(error: DamagedLogError) -> str:
    """What is damaged, and what to do."""
    more = ". `sandgate doctor` lists every file that is damaged"
    if isinstance(error, DamagedRecordError):
        more = ""
    return f"{error}. What to do: {advice_on(error)}{more}"


def _refused_by_disk(error: OSError | DiskError, place: Path) -> str:
    """What the disk refused: a DiskError was raised from what the system said."""
    cause = error if isinstance(error, OSError) else error.__cause__
    return refused_write(cause, place) if isinstance(cause, OSError) else str(error)


def _spare_what_stays() -> None:
    """Exclude the objects made at the start from garbage collection, and make it rare.

    Requests waited 70 ms every few seconds otherwise. Nearly nothing of a request is in a circle,
    so that reference counts free it. What the start left unreachable, some thousand objects, stays:
    to look for it takes a tenth of the start.
    """
    gc.freeze()
    gc.set_threshold(COLLECTED_AT)
    gc.enable()


def _give_back_large_blocks() -> None:
    """Have the system take back each large block that is freed.

    The GNU allocator keeps blocks as large as those that were freed before: a sandbox that was
    deleted, or put to sleep, left all its memory with the gateway.
    """
    allocator = ctypes.CDLL(None)
    if hasattr(allocator, "mallopt"):
        allocator.mallopt(M_MMAP_THRESHOLD, LARGE_BLOCK_BYTES)


def _announce(
    gateway: Gateway, addresses: ServedAddresses, settings: Settings, *, ca: Path
) -> None:
    known = {name: text for name, text in asdict(addresses).items() if text}
    facts = known | dict(gateway.access)
    if settings.ready_json:
        print(json.dumps(facts), flush=True)
        return
    from simulator.banner import print_banner  # rich takes longer to import than to print.

    print_banner(facts, ca=ca)


def _asked_to_stop(settings: Settings) -> Event:
    """Set at the first stop signal; a second one ends the process at once."""
    asked = Event()
    for number in STOP_SIGNALS:
        gevent.signal_handler(number, lambda: os._exit(1) if asked.is_set() else asked.set())
    if settings.stop_at_eof:
        gevent.spawn(_read_to_end, sys.stdin.fileno()).link(lambda _: asked.set())
    return asked


def _read_to_end(handle: int) -> None:
    wait_read(handle)
    while os.read(handle, 4096):
        wait_read(handle)
