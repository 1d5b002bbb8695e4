"""The environment variables by which programs and the documentation find a gateway."""

import os
import shlex
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

PROGRAM = "sandgate"

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
    ("SANDGATE_CONTROL_API_KEY", "control_key"),
    ("SANDGATE_ACS_URL",     "acs_url"),
    ("SANDGATE_SFTP",        "sftp"),
    ("SANDGATE_SFTP_FINGERPRINT", "sftp_fingerprint"),
    ("SANDGATE_CA_FILE",     "ca_file"),
)  # fmt: skip

# The control key under the name that 0.1.0 gave it, which is a setting of `serve` too: clients read
# it, and `sandgate run` sets it, for one more release.
FORMER_KEY = "SANDGATE_CONTROL_KEY"

# What else is read from the environment beside settings: by the conformance suite, by a command.
OTHERS = ("SANDGATE_TARGET", "SANDGATE_WEBHOOK_SECRET")


def variables_of(facts: Mapping[str, str]) -> dict[str, str]:
    """The variables and what stands in them, for the facts that are known."""
    known = {**facts, "base_url": api_url_of(facts)} if "base_url" in facts else facts
    return {variable: known[fact] for variable, fact in VARIABLES if fact in known}


def api_url_of(facts: Mapping[str, str]) -> str:
    """Where the merchant API answers: over TLS where plain HTTP is refused."""
    is_plain_refused = facts.get("control_url", "").startswith("https:")
    return facts["tls_url" if is_plain_refused else "base_url"]


def variables_of_run(facts: Mapping[str, str]) -> dict[str, str]:
    """The variables of a command that `sandgate run` starts, with the former name of the key."""
    return {**variables_of(facts), FORMER_KEY: facts["control_key"]}


def export_line(facts: Mapping[str, str]) -> str:
    """One line for a second terminal, in which nothing is activated: commands and variables."""
    folder = program_folder()
    path = [] if folder is None else [f'PATH={shlex.quote(str(folder))}:"$PATH"']
    named = [f"{name}={shlex.quote(text)}" for name, text in variables_of(facts).items()]
    return " ".join(("export", *path, *named))


def program_folder() -> Path | None:
    """The folder a terminal needs in its PATH to find `sandgate`; None where it finds it already.

    Beside `sandgate` it has the Python that has its libraries.
    """
    program = Path(sys.executable).parent / PROGRAM
    if sys.prefix == sys.base_prefix or not program.exists():
        return None
    found = shutil.which(PROGRAM)
    is_linked = found is not None and Path(found).parent != program.parent
    if is_linked and Path(str(found)).resolve() == program.resolve():
        return None
    return program.parent


def path_with_program() -> str:
    """The PATH of this process, and `sandgate` at its end where it is in none of its folders."""
    folders = os.environ.get("PATH", os.defpath)
    folder = None if shutil.which(PROGRAM, path=folders) else program_folder()
    return folders if folder is None else f"{folders}{os.pathsep}{folder}"
