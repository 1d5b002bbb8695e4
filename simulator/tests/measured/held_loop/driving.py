"""Calls of an application as a listener makes them: others have their turn after each piece of an
answer.
"""

from collections.abc import Callable, Mapping

from falcon.testing import create_environ

from simulator.adapters.turns import LONG_WORK

HOST = "console.localhost"


def status_of(
    application: Callable[..., object],
    request: tuple[str, str, str],
    *,
    headers: Mapping[str, str],
    body: bytes = b"",
) -> int:
    """The status of the answer to a request of method, path and query; it is read to its end."""
    method, path, query = request
    started: list[str] = []
    environ = create_environ(
        path,
        query_string=query,
        method=method,
        headers={"Host": HOST, **headers},
        body=body,
        host=HOST,
        remote_addr="127.0.0.1",
    )
    pieces = application(environ, lambda status, _headers, *_: started.append(status))
    try:
        for _ in pieces:
            LONG_WORK.take()
    finally:
        close = getattr(pieces, "close", None)
        if close is not None:
            close()
    return int(started[0][:3])
