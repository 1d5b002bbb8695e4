"""Every mutant, by subject and by the requirement it breaks."""

from collections import defaultdict
from collections.abc import Mapping
from types import ModuleType

from features.mutants.mutant import Mutant
from features.mutants.proxy import OriginalGateway, ProxiedRequest
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

# The subjects, a module each.
SUBJECTS: Mapping[str, ModuleType] = {
    "Payments": payments,
    "Captures, refunds, reversals and chargebacks": back_office,
    "Responses": responses,
    "Formats": formats,
    "Bank accounts": bank_accounts,
    "Checkouts, registrations and recurring payments": checkouts,
    "Pending payments and time": pending,
    "Webhooks": webhooks,
    "Acquirers and 3-D Secure": acquirers,
    "Transport, hosts and throttling": transport,
    "Authentication": authentication,
    "Reports, risk checks and schedules": reports,
}


def forward_unchanged(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """The gateway without a defect: all cases pass, so the proxy itself adds no failure."""
    return original.forward(request)


def mutants_in(subject: ModuleType) -> tuple[Mutant, ...]:
    """The mutants of a subject, in the order of its module."""
    return tuple(value for value in vars(subject).values() if isinstance(value, Mutant))


def mutants_by_requirement() -> Mapping[str, tuple[str, ...]]:
    """The names of the mutants that break each requirement, by its id.

    Mutants that break an expectation of profile `field` only are not included.
    """
    found: defaultdict[str, list[str]] = defaultdict(list)
    for each in MUTANTS:
        for requirement in each.requirements:
            found[requirement].append(each.name)
    return {name: tuple(found[name]) for name in requirements() if name in found}


MUTANTS: tuple[Mutant, ...] = tuple(
    each for subject in SUBJECTS.values() for each in mutants_in(subject)
)
