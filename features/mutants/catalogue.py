"""The box: every broken gateway there is, and which requirement each of them guards."""

from collections import defaultdict
from collections.abc import Mapping
from types import ModuleType

from features.mutants.mutant import Fault
from features.mutants.proxy import Asked, Sound
from features.mutants.subjects import (
    acquirers,
    authentication,
    back_office,
    bank_accounts,
    checkouts,
    formats,
    payments,
    pending,
    reports,
    responses,
    transport,
    webhooks,
)
from features.spec.tables import requirements
from simulator.client import Answer

# The subjects, each in a module of its own.
SUBJECTS: Mapping[str, ModuleType] = {
    "Payments": payments,
    "What follows a payment": back_office,
    "Answers": responses,
    "Formats": formats,
    "Bank accounts": bank_accounts,
    "Checkouts, registrations and series": checkouts,
    "What takes time": pending,
    "Notifications": webhooks,
    "The far side": acquirers,
    "At the door": transport,
    "Who is let in": authentication,
    "Reports, risk and schedules": reports,
}


def none_at_all(asked: Asked, sound: Sound) -> Answer:
    """A gateway with no fault: what the judge says of it shows that the listener adds none."""
    return sound.answer(asked)


def faults_in(subject: ModuleType) -> tuple[Fault, ...]:
    """The faults of a subject, in the order they are written."""
    return tuple(value for value in vars(subject).values() if isinstance(value, Fault))


def guards() -> Mapping[str, tuple[str, ...]]:
    """The names of the broken gateways that were made for each requirement, by its id.

    What clients of the field expect is guarded as well; it is no requirement, and not among them.
    """
    found: defaultdict[str, list[str]] = defaultdict(list)
    for each in BOX:
        for requirement in each.requirements:
            found[requirement].append(each.name)
    return {name: tuple(found[name]) for name in requirements() if name in found}


BOX: tuple[Fault, ...] = tuple(each for subject in SUBJECTS.values() for each in faults_in(subject))
