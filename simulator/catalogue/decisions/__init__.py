"""Every decision that fills a silence of the specification, by area."""

from collections.abc import Mapping

from simulator.catalogue.decisions.accounts import ACCOUNTS
from simulator.catalogue.decisions.acquiring import ACQUIRING
from simulator.catalogue.decisions.cards import CARDS
from simulator.catalogue.decisions.checkouts import CHECKOUTS
from simulator.catalogue.decisions.hosts import HOSTS
from simulator.catalogue.decisions.payments import PAYMENTS
from simulator.catalogue.decisions.people.console import CONSOLE
from simulator.catalogue.decisions.people.training import TRAINING
from simulator.catalogue.decisions.redirects import REDIRECTS
from simulator.catalogue.decisions.registrations import REGISTRATIONS
from simulator.catalogue.decisions.reports import REPORTS
from simulator.catalogue.decisions.requests import REQUESTS
from simulator.catalogue.decisions.responses import RESPONSES
from simulator.catalogue.decisions.risk import RISK
from simulator.catalogue.decisions.sandboxes import SANDBOXES
from simulator.catalogue.decisions.schedules import SCHEDULES
from simulator.catalogue.decisions.secrets import SECRETS
from simulator.catalogue.decisions.settlement.delivery import DELIVERY
from simulator.catalogue.decisions.settlement.institutes import INSTITUTES
from simulator.catalogue.decisions.settlement.reading import READING
from simulator.catalogue.decisions.settlement.reports import SETTLEMENT_REPORTS
from simulator.catalogue.decisions.settlement.runs import SETTLEMENT_RUNS
from simulator.catalogue.decisions.steering import STEERING
from simulator.catalogue.decisions.terminals import TERMINALS
from simulator.catalogue.decisions.three_d_secure import THREE_D_SECURE
from simulator.catalogue.decisions.wallets import WALLETS
from simulator.catalogue.decisions.webhooks import WEBHOOKS
from simulator.grammar.decisions import Area, Decision

AREAS: tuple[Area, ...] = (
    REQUESTS,
    RESPONSES,
    HOSTS,
    SANDBOXES,
    SECRETS,
    PAYMENTS,
    CARDS,
    REDIRECTS,
    STEERING,
    WEBHOOKS,
    CHECKOUTS,
    REGISTRATIONS,
    ACCOUNTS,
    WALLETS,
    REPORTS,
    RISK,
    SCHEDULES,
    ACQUIRING,
    INSTITUTES,
    READING,
    SETTLEMENT_RUNS,
    SETTLEMENT_REPORTS,
    DELIVERY,
    TERMINALS,
    THREE_D_SECURE,
    CONSOLE,
    TRAINING,
)

DECISIONS: Mapping[str, Decision] = {row.id: row for area in AREAS for row in area.rows}
