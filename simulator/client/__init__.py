"""A small client of the merchant API and of the control API, over a socket.

It knows nothing of the gateway but what travels on the wire, so tests, the conformance suite and
merchants may use it alike. Everything is standard library: nothing has to be patched.
"""

from simulator.client.control import Control, ControlError
from simulator.client.merchant import FORM, Client
from simulator.client.wire import (
    Answer,
    Connection,
    Interceptor,
    OutgoingRequest,
    Parameters,
    SendRequest,
    form_of,
    pairs_of,
)

__all__ = [
    "FORM",
    "Answer",
    "Interceptor",
    "OutgoingRequest",
    "Client",
    "Connection",
    "Control",
    "ControlError",
    "Parameters",
    "SendRequest",
    "form_of",
    "pairs_of",
]
