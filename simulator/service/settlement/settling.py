"""Settle what is over when it is asked for: of several institutes, a number of days of each."""

from collections.abc import Iterable
from datetime import date
from functools import partial
from typing import NamedTuple

from simulator.domain.core.transact import transact
from simulator.domain.settlement.runs import SettlementRun
from simulator.service.settlement.history import open_days
from simulator.service.settlement.runs import RUNS_AT_ONCE_MAX, SettlementPorts, settle_until


class SettledDays(NamedTuple):
    """Runs, and the institutes of which more bank days are over than were settled at once."""

    runs: tuple[SettlementRun, ...]
    more: tuple[str, ...]


def settle_institutes(
    ports: SettlementPorts,
    institutes: Iterable[str],
    last: date | None,
    *,
    most: int = RUNS_AT_ONCE_MAX,
) -> SettledDays:
    """Run the first bank days of each institute that are over and have no finished run, to `last`
    at most. Choice: D-718.
    """
    runs: list[SettlementRun] = []
    more: list[str] = []
    for name in institutes:
        made = transact(ports.store, partial(settle_until, ports, name, last, most=most))
        runs += made
        if len(made) >= most and next(open_days(ports, name, last), None) is not None:
            more.append(name)
    return SettledDays(tuple(runs), tuple(more))
