"""The environment variables by which programs and the documentation find a gateway."""

from collections.abc import Mapping

VARIABLES = (
    #  variable                 fact of a ready gateway
    ("SANDGATE_URL",         "base_url"),
    ("SANDGATE_TLS_URL",     "tls_url"),
    ("SANDGATE_LIVE_URL",    "live_url"),
    ("SANDGATE_TOKEN",       "token"),
    ("SANDGATE_LIVE_TOKEN",  "live_token"),
    ("SANDGATE_ENTITY_ID",   "entity_id"),
    ("SANDGATE_SANDBOX_ID",  "sandbox_id"),
    ("SANDGATE_CONTROL_URL", "control_url"),
    ("SANDGATE_CONTROL_KEY", "control_key"),
    ("SANDGATE_ACS_URL",     "acs_url"),
    ("SANDGATE_CA_FILE",     "ca_file"),
)  # fmt: skip

# What else is read from the environment beside settings: by the conformance suite, by a command.
OTHERS = ("SANDGATE_TARGET", "SANDGATE_WEBHOOK_SECRET")


def variables_of(facts: Mapping[str, str]) -> dict[str, str]:
    """The variables and what stands in them, for the facts that are known."""
    return {variable: facts[fact] for variable, fact in VARIABLES if fact in facts}
