"""What to do where PostgreSQL does not let a gateway in, by what it or its client says.

Before a connection is there its errors have no code, so their words are looked at. What no row
knows, such as the same in another language, is passed on as it is.
"""

import re
from typing import NamedTuple


class AdviceRow(NamedTuple):
    """What the error says, what was expected instead, and what a person can do."""

    said: re.Pattern[str]
    expected: str
    advice: str


def _row(said: str, expected: str, advice: str) -> AdviceRow:
    return AdviceRow(re.compile(said), expected, advice)


ROWS = (
    _row(
        "password authentication failed|no password supplied",
        "the password of the role",
        "put it into the file that PGPASSFILE names, or with the address into SANDGATE_STORE",
    ),
    _row(
        "pg_hba.conf|authentication failed",
        "a role that the server lets in from this machine",
        "name that role, or let the server admit this one in pg_hba.conf",
    ),
    _row(
        "could not translate host name|failed to resolve host",
        "the name of a host",
        "correct the host in the address",
    ),
    _row(
        'database "[^"]*" does not exist',
        "a database that is there",
        "make it: createdb -E UTF8 -T template0 NAME, or correct its name in the address",
    ),
    _row(
        'role "[^"]*" does not exist',
        "a role that is there",
        "make it: createuser NAME, or name another one in the address",
    ),
    _row(
        "permission denied for database|does not have CONNECT privilege",
        "the right to connect",
        "let its owner run: GRANT CONNECT ON DATABASE ... TO ...",
    ),
    _row(
        "permission denied for (table|schema|sequence)",
        "the role that the schema belongs to",
        "name that one in the address",
    ),
    _row(
        "session is read-only|server is in hot standby mode",
        "a server that writes",
        "name the primary",
    ),
    _row(
        "too many (clients|connections)|remaining connection slots",
        "room for three connections",
        "raise the limit of the server, or stop what holds them",
    ),
    _row(
        "starting up|shutting down|not yet accepting connections",
        "a server that has started",
        "start this gateway again once it has",
    ),
    _row(
        "Connection refused|No such file or directory|timeout expired|No route to host",
        "a server that listens there",
        "start it, or correct host and port in the address",
    ),
)


def explained(said: str) -> str:
    """What PostgreSQL or its client said, with what was expected and what to do."""
    for row in ROWS:
        if row.said.search(said):
            return f"expected {row.expected}, got: {said}; {row.advice}"
    return said
