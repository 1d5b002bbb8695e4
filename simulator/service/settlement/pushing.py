"""Pushes of delivered files to the servers of merchants, one after another, tried again.

Choice: D-620.
"""

import logging
from collections.abc import Iterable, Iterator
from functools import partial
from typing import Protocol

from msgspec.structs import replace

from simulator.domain.core.background import Aside, at_once
from simulator.domain.core.errors import TamperedSecretError
from simulator.domain.core.ports import HasClock, HasScheduler, HasStore, HasVault, unit_of
from simulator.domain.core.transact import transact
from simulator.domain.ports.settlement import HasSettlementFiles
from simulator.domain.settlement.pushing import (
    AskedPushTarget,
    FilePush,
    PushFailedError,
    PushTarget,
    after_attempt,
    file_push,
    opened,
    push_target,
    tried_again,
)
from simulator.domain.settlement.runs import DeliveredCsv, SettlementRun

LOG = logging.getLogger("sandgate.settlement")
NO_TARGET = "the merchant has no server to push to any more"
OTHER_VAULT = "the secrets of the target were sealed by another gateway: set it again"


class UnknownPushTargetError(Exception):
    """A merchant has no server that its files are pushed to."""


class PushPorts(HasClock, HasScheduler, HasStore, HasVault, HasSettlementFiles, Protocol):
    """What files are pushed with."""


def set_push_target(
    ports: PushPorts, merchant: str, asked: AskedPushTarget, aside: Aside = at_once
) -> PushTarget:
    """Push the files of a merchant to this server from now on. The key is tested `aside`. Raises
    InvalidInputError.
    """
    wanted = aside(push_target, merchant, asked, ports.vault)

    def change() -> PushTarget:
        before = ports.store.get(PushTarget, merchant)
        put = replace(wanted, version=0 if before is None else before.version)
        ports.store.commit(unit_of(put))
        return put

    return transact(ports.store, change)


def push_target_of(ports: HasStore, merchant: str) -> PushTarget:
    """Where the files of a merchant are pushed to. Raises UnknownPushTargetError."""
    found = ports.store.get(PushTarget, merchant)
    if found is None:
        raise UnknownPushTargetError("the files of the merchant in the path are pushed nowhere")
    return found


def remove_push_target(ports: HasStore, merchant: str) -> None:
    """Push no more files of a merchant. Raises UnknownPushTargetError."""

    def change() -> None:
        ports.store.commit(unit_of(removes=(push_target_of(ports, merchant),)))

    transact(ports.store, change)


def prepare_pushes(
    ports: PushPorts, run: SettlementRun, delivered: Iterable[DeliveredCsv]
) -> Iterator[FilePush]:
    """The pushes of files that a run delivers, to be stored with it; they are due at once."""
    now = ports.clock.now()
    for each in delivered:
        if ports.store.get(PushTarget, each.merchant) is not None:
            yield file_push(run, each, now)


def push_due(ports: PushPorts, push: FilePush) -> None:
    """Push a file, beside other due work: a server may be slow."""
    ports.scheduler.run_job(name_of_push(push), partial(_push, ports, push.id))


def pushes_of(ports: HasStore, run: SettlementRun) -> list[FilePush]:
    """The pushes of the files of a run."""
    found = (ports.store.get(FilePush, each.name) for each in run.delivered)
    return [each for each in found if each is not None]


def push_again(ports: PushPorts, run: SettlementRun) -> list[FilePush]:
    """Push now what of a run is not pushed, also where its merchant has a server since then."""
    for each in run.delivered:
        transact(ports.store, partial(_begin_again, ports, run, each))
    ports.scheduler.wake()
    return pushes_of(ports, run)


def _begin_again(ports: PushPorts, run: SettlementRun, file: DeliveredCsv) -> None:
    now = ports.clock.now()
    if ports.store.get(PushTarget, file.merchant) is None:
        return
    push = ports.store.get(FilePush, file.name)
    wanted = file_push(run, file, now) if push is None else tried_again(push, now)
    if wanted != push:
        ports.store.commit(unit_of(wanted))


def _push(ports: PushPorts, identity: str) -> None:
    push = ports.store.get(FilePush, identity)
    # The attempt before may have ended while this one was looked for.
    if push is None or push.due is None or push.due > ports.clock.now():
        return
    problem = _problem_of(ports, push)
    if problem:
        LOG.warning("settlement file %s was not pushed: %s", push.id, problem)

    def record() -> None:
        standing = ports.store.get(FilePush, identity)
        if standing is not None and standing.due is not None:
            ports.store.commit(unit_of(after_attempt(standing, problem, ports.clock.now())))

    transact(ports.store, record)


def _problem_of(ports: PushPorts, push: FilePush) -> str:
    """Push it once; in words what kept it from being there, or nothing."""
    target = ports.store.get(PushTarget, push.merchant)
    if target is None:
        return NO_TARGET
    try:
        access = opened(target, ports.vault)
        ports.settlement_files.push(access, push.merchant, push.id, day=push.day)
    except TamperedSecretError:
        return OTHER_VAULT
    except PushFailedError as error:
        return str(error)
    except OSError as error:
        return f"{push.id}: expected the file in the outgoing folder, got {error.strerror}"
    return ""


def name_of_push(push: FilePush) -> str:
    """The job that pushes the files of its merchant, one after another."""
    return f"push to {push.merchant}"
