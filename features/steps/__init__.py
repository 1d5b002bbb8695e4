"""The steps of the suite, by noun. Each is one call, through one client, over a socket."""

from collections.abc import Mapping

# The noun that the steps of a module are about, by the module's name. A module comes after those it
# imports, so that pytest rewrites the assertions of each.
# fmt: off
NOUNS: Mapping[str, str] = {
    "features.steps.payments.payments":         "payments",
    "features.steps.payments.asynchronous":     "asynchronous payments",
    "features.steps.payments.bank_accounts":    "bank accounts",
    "features.steps.payments.terminals":        "terminals",
    "features.steps.payments.three_d_secure":   "3-D Secure",
    "features.steps.payments.risk":             "risk checks",
    "features.steps.payments.chargebacks":      "chargebacks",
    "features.steps.payments.checkouts":        "checkouts",
    "features.steps.payments.forms":            "hosted form",
    "features.steps.payments.form_pages":       "hosted form",
    "features.steps.payments.registrations":    "registrations",
    "features.steps.payments.recurring":        "recurring payments",
    "features.steps.payments.schedules":        "schedules",
    "features.steps.payments.reports":          "reports",
    "features.steps.payments.settlement":       "settlement",
    "features.steps.payments.settlement_lines": "settlement",
    "features.steps.payments.settlement_reports": "settlement",
    "features.steps.payments.settlement_troubles": "settlement",
    "features.steps.webhooks.notifications":    "webhooks",
    "features.steps.webhooks.receivers":        "webhooks",
    "features.steps.simulators.acquirers":      "simulators",
    "features.steps.simulators.parties":        "simulators",
    "features.steps.payments.wallets":          "wallets",
    "features.steps.merchants.channels":        "merchants",
    "features.steps.merchants.authentication":  "authentication",
    "features.steps.merchants.hosts":           "hosts",
    "features.steps.merchants.console":         "the console",
    "features.steps.merchants.every_request":   "every request",
    "features.steps.merchants.other_people":    "authentication",
    "features.steps.requests.errors":           "errors",
    "features.steps.requests.formats":          "formats",
    "features.steps.requests.structures":       "structures",
    "features.steps.requests.lists":            "structures",
    "features.steps.requests.throttling":       "throttling",
    "features.steps.requests.transport":        "transport",
    "features.steps.requests.versions":         "versions",
    "features.steps.simulators.scripts":        "simulators",
    "features.steps.simulators.directory":      "simulators",
    "features.steps.simulators.clock":          "sandbox clock",
    "features.steps.payments.settlement_pushes": "settlement",
    "features.steps.field.profile":             "profile field",
    "features.steps.field.answers":             "profile field",
    "features.steps.field.requests":            "profile field",
    "features.steps.field.webhooks":            "profile field",
}
# fmt: on
