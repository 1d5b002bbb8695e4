"""Every mutant, by subject and by the requirement it breaks."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from types import ModuleType

from features.mutants.mutant import Mutant
from features.mutants.proxy import OriginalGateway, ProxiedRequest
from features.mutants.subjects import (
    acquirers,
    authentication,
    back_office,
    bank_accounts,
    checkouts,
    existing_clients,
    existing_requests,
    formats,
    forms,
    payments,
    pending,
    places,
    reports,
    responses,
    settlement,
    terminals,
    transport,
    webhooks,
)
from features.spec.tables import expectations, requirements
from simulator.client import Answer

# The subjects, a module each.
SUBJECTS: Mapping[str, ModuleType] = {
    "Payments": payments,
    "Captures, refunds, reversals and chargebacks": back_office,
    "Responses": responses,
    "Formats": formats,
    "Bank accounts": bank_accounts,
    "Checkouts, registrations and recurring payments": checkouts,
    "The hosted form": forms,
    "Pending payments and time": pending,
    "Webhooks": webhooks,
    "Acquirers and 3-D Secure": acquirers,
    "Transport, hosts and throttling": transport,
    "Authentication": authentication,
    "Terminals at the point of sale": terminals,
    "Settlement and reconciliation": settlement,
    "Reports, risk checks and schedules": reports,
    "Lists, brands, parties and last seconds": places,
    "Existing clients": existing_clients,
    "Requests, brands and texts of existing clients": existing_requests,
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
    return _mutants_that_break(requirements())


def mutants_by_expectation() -> Mapping[str, tuple[str, ...]]:
    """The names of the mutants that break each expectation of existing clients, by its id."""
    return _mutants_that_break(expectations())


def _mutants_that_break(names: Iterable[str]) -> dict[str, tuple[str, ...]]:
    found: defaultdict[str, list[str]] = defaultdict(list)
    for each in MUTANTS:
        for broken in each.requirements:
            found[broken].append(each.name)
    return {name: tuple(found[name]) for name in names if name in found}


MUTANTS: tuple[Mutant, ...] = tuple(
    each for subject in SUBJECTS.values() for each in mutants_in(subject)
)
