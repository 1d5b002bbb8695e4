"""The black-box kit: clients of the merchant API and the control API, and what tests need beside.

It knows the gateway by what travels on the wire alone, so tests, the conformance suite, load runs
and merchants may use it alike. Everything is standard library: nothing has to be patched.

`wire`, `merchant`, `control` speak HTTP; `sandbox` and `gateway` are what a test holds, and
`pytest_plugin` gives them to pytest; `shown` masks what is printed; `processes` starts servers;
`listener` and `receiver` take requests; `browser` visits pages; `addresses` and `ports` check and
find addresses.
"""

from simulator.client.control import Control
from simulator.client.control_calls import ControlError
from simulator.client.gateway import GatewayAccess, gateway_for
from simulator.client.merchant import FORM, Client
from simulator.client.sandbox import VISA, SandboxClient
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
    "GatewayAccess",
    "Parameters",
    "SandboxClient",
    "SendRequest",
    "VISA",
    "form_of",
    "gateway_for",
    "pairs_of",
]
