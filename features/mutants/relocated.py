"""Our own gateway, moved: another host name, another base path, other ids, and no control API.

Its merchant was told of before: the judge's receiver is notified at a port of its own.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from features.mutants.catalogue import none_at_all
from features.mutants.proxy import served
from simulator.client import Control
from simulator.client.ports import free_port
from simulator.client.processes import running_server

PLACE = "somewhere-else"
KEY = "f0e1d2c3b4a5968778695a4b3c2d1e0f" * 2


@contextmanager
def moved(folder: Path) -> Iterator[dict[str, str]]:
    """The address, token and entity of the moved gateway, until the end of the block.

    What it says of addresses names its new place, so a shopper who is sent away stays there.
    """
    with running_server(folder) as ready, served(ready, {PLACE: none_at_all}) as address:
        control = Control(ready["control_url"], ready["control_key"])
        sandbox = control.create_sandbox(profile="specification")
        merchant = sandbox["entities"]["merchants"][0]
        listen = f"127.0.0.1:{free_port()}"
        url = f"http://{listen}/"
        control.create_webhook(sandbox["id"], url, secret=KEY, skip_activation=True)
        control.close()
        home = address.replace("127.0.0.1", "localhost")
        yield {
            "base_url": f"{home}{PLACE}/merchant/",
            "token": merchant["token"],
            "entity_id": merchant["channels"][0]["id"],
            "profile": ready["profile"],
            "receiver.listen": listen,
            "receiver.url": url,
            "receiver.key": KEY,
        }
