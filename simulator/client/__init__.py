"""A small client of the merchant API and of the control API, over a socket.

It knows nothing of the gateway but what travels on the wire, so tests, the conformance suite and
merchants may use it alike. Everything is standard library: nothing has to be patched.
"""

from simulator.client.control import Control, ControlError
from simulator.client.merchant import FORM, Client
from simulator.client.wire import (
    Answer,
    Around,
    Asked,
    Connection,
    Parameters,
    Send,
    form_of,
    pairs_of,
)

__all__ = [
    "FORM",
    "Answer",
    "Around",
    "Asked",
    "Client",
    "Connection",
    "Control",
    "ControlError",
    "Parameters",
    "Send",
    "form_of",
    "pairs_of",
]
