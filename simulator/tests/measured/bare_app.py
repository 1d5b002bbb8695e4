"""What a payment is measured against: a bare Falcon application behind the gateway's listener.

It reads the same form and answers a small JSON document; nothing is checked, decided or kept.
Run as `python -m gevent.monkey bare_app.py`; prints one JSON line with its address.
"""

import json

import falcon
from gevent.event import Event

from simulator.adapters.http.server import open_listener


class Payments:
    """/v1/payments"""

    def on_post(self, req: falcon.Request, resp: falcon.Response) -> None:
        """Read the form and say how many parameters it has."""
        sent = req.get_media()
        resp.media = {"result": {"code": "000.100.110"}, "read": len(sent)}


def main() -> None:
    """Serve until the process is ended."""
    application = falcon.App()
    application.add_route("/v1/payments", Payments())
    listener = open_listener("plain", ("127.0.0.1", 0), application, answer=lambda status: b"{}")
    print(json.dumps({"base_url": f"http://127.0.0.1:{listener.server_port}/"}), flush=True)
    Event().wait()


if __name__ == "__main__":
    main()
