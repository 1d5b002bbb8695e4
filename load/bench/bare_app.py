"""What a payment is measured against: a bare Falcon application on the server of gevent.

It reads the same form and answers a small JSON document; nothing is checked, decided or kept.
Nothing of it is the gateway's, so that a change of the gateway never moves the yardstick.
Run as `python -m gevent.monkey bare_app.py`; prints one JSON line with its address.
"""

import json
import socket

import falcon
from gevent.pywsgi import WSGIServer


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
    server = WSGIServer(("127.0.0.1", 0), application, log=None)
    server.start()
    # Head and body leave in two packets: the second would wait 40 ms for an acknowledgement.
    server.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, True)
    print(json.dumps({"base_url": f"http://127.0.0.1:{server.server_port}/"}), flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
