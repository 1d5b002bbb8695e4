"""The relocated gateway: Sandgate with another host name, base path and ids, and no control API.

Its webhook endpoint is registered in advance: the suite's receiver listens at a fixed port.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from features.mutants.catalogue import forward_unchanged
from features.mutants.proxy import serve_gateways
from simulator.client import Control
from simulator.client.ports import free_port
from simulator.client.processes import gateway_in

PATH = "somewhere-else"
KEY = "f0e1d2c3b4a5968778695a4b3c2d1e0f" * 2


@contextmanager
def relocated_gateway(folder: Path) -> Iterator[dict[str, str]]:
    """The members of the target file of the relocated gateway, which runs until the block ends.

    Addresses in its responses are those of the new location, so a redirected shopper stays there.
    The gateway knows the location itself: a notification is encrypted, so no proxy could move the
    addresses in it.
    """
    port = free_port()
    base_url = f"http://localhost:{port}/{PATH}/merchant/"
    with (
        gateway_in(folder, "--public-url", base_url, "--allow-private-webhooks") as ready,
        serve_gateways(ready, {PATH: forward_unchanged}, port),
    ):
        control = Control(ready["control_url"], ready["control_key"])
        sandbox = control.create_sandbox(profile="specification")
        merchant = sandbox["entities"]["merchants"][0]
        listen = f"127.0.0.1:{free_port()}"
        url = f"http://{listen}/"
        control.create_webhook(sandbox["id"], url, secret=KEY, skip_activation=True)
        control.close()
        yield {
            "base_url": base_url,
            "token": merchant["token"],
            "entity_id": merchant["channels"][0]["id"],
            "profile": ready["profile"],
            "receiver.listen": listen,
            "receiver.url": url,
            "receiver.key": KEY,
        }
