"""`sandgate target`: the target file of a gateway that runs."""

import os
import stat
import sys
from collections.abc import Mapping
from contextlib import suppress
from urllib.parse import urljoin

import typer

from features.commands.ending import fail_usage
from features.conformance.progress import print_error
from features.target.reading import TargetFileError, parse_target
from features.target.records import Target
from features.target.writing import format_target_file
from simulator.client.shown.known_secrets import showing_credentials
from simulator.client.shown.writable import writable

#  member of a target file    variable that `sandgate serve` prints
VARIABLES = {
    "base_url":    "SANDGATE_URL",
    "tls_url":     "SANDGATE_TLS_URL",
    "live_url":    "SANDGATE_LIVE_URL",
    "token":       "SANDGATE_TOKEN",
    "live_token":  "SANDGATE_LIVE_TOKEN",
    "entity_id":   "SANDGATE_ENTITY_ID",
    "control_url": "SANDGATE_CONTROL_URL",
    "control_key": "SANDGATE_CONTROL_API_KEY",
    "sftp":        "SANDGATE_SFTP",
    "ca_file":     "SANDGATE_CA_FILE",
}  # fmt: skip
# What 0.1.0 called the key; read for one more release.
FORMER_KEY = "SANDGATE_CONTROL_KEY"
MERCHANT = "SANDGATE_TOKEN, SANDGATE_ENTITY_ID"
MERCHANT_ADVICE = (
    "The token may have been rotated or suspended, or its sandbox deleted: `sandgate sandbox list` "
    "lists the sandboxes, `sandgate sandbox create --format export` makes one and prints its "
    "variables"
)
MANDATORY = ("base_url", "token", "entity_id")


def main() -> None:
    """Print the target file of a running gateway, for `sandgate check`.

    Its addresses and credentials are read from the variables that `sandgate serve` prints.
    """
    facts = {name: os.environ.get(variable, "") for name, variable in VARIABLES.items()}
    facts["control_key"] = facts["control_key"] or os.environ.get(FORMER_KEY, "")
    missing = [VARIABLES[name] for name in MANDATORY if not facts[name]]
    if missing:
        which = "it" if len(missing) == 1 else "them"
        fail_usage(
            f"expected {', '.join(missing)}, as `sandgate serve` prints {which}; got nothing"
        )
    if (shown := writable(facts["ca_file"])) != facts["ca_file"]:
        # Nor could a line to paste have it.
        expected = "expected a path in UTF-8, as a target file has"
        fail_usage(f"{VARIABLES['ca_file']}: {expected}, got {shown}")
    facts["profile"] = _profile(facts)
    # The control API was found, so that the gateway runs.
    if facts["control_url"] and facts["control_key"]:
        _demand_merchant(facts)
    if facts["profile"]:
        # A gateway with a control API describes itself beside its merchant API.
        facts["openapi_url"] = urljoin(facts["base_url"], "openapi.json")
    with showing_credentials():
        typer.echo(format_target_file(facts), nl=False)
    if _is_open_to_others():
        print_error("others may read the target file, which holds tokens and keys: chmod 600 it")


def _is_open_to_others() -> bool:
    """Whether what is printed goes to a file that is not for its owner alone."""
    try:
        mode = os.fstat(sys.stdout.fileno()).st_mode
    except (OSError, ValueError):
        return False
    return stat.S_ISREG(mode) and bool(mode & (stat.S_IRWXG | stat.S_IRWXO))


def _demand_merchant(facts: Mapping[str, str]) -> None:
    """End the call where the gateway does not take the token, such as one that was rotated."""
    from features.target.reachability import (
        RefusedCredentialsError,
        UnreachableTargetError,
        demand_named_merchant,
    )

    # An address that only other machines reach stands in the file all the same.
    with suppress(UnreachableTargetError):
        try:
            demand_named_merchant(_target_of(facts))
        except RefusedCredentialsError as error:
            fail_usage(
                f"{MERCHANT}: expected credentials that the gateway at {error.address} accepts, "
                f"got: {error.refusal}. {MERCHANT_ADVICE}"
            )


def _target_of(facts: Mapping[str, str]) -> Target:
    given = {name: text for name, text in facts.items() if text}
    return parse_target(given, source="the variables of `sandgate serve`")


def _profile(facts: Mapping[str, str]) -> str:
    """The profile of the sandbox whose entity the facts name; nothing without a control API."""
    from features.target.reachability import UnreachableTargetError, find_profile

    try:
        return find_profile(_target_of(facts))
    except (TargetFileError, UnreachableTargetError) as error:
        fail_usage(str(error))
