"""A person with a browser of their own: a cookie, and the token of the forms they were shown."""

import re
from collections.abc import Callable
from urllib.parse import urlencode

from falcon.testing import Result

from simulator.tests.kit.gateway import FORM, Gateway

PASSWORD = "correct horse battery"
HOST = "console.localhost"
ORIGIN = f"http://{HOST}"
FORM_TOKEN = re.compile(r'name="form_token" value="([0-9a-f]+)"')
MARK = re.compile(r'name="mark" value="([0-9a-f]+)"')


class Visitor:
    """One browser at the console of a gateway."""

    def __init__(self, gateway: Gateway, origin: str = ORIGIN):
        self._gateway, self._origin = gateway, origin
        self.cookies: dict[str, str] = {}
        self.form_token = ""
        # Whether the browser has closed the connection of its next request.
        self.has_left: Callable[[], bool] = lambda: False

    def get(self, path: str, **headers: str) -> Result:
        """Open a page."""
        return self._ask("GET", path, headers)

    def post(self, path: str, sent: dict[str, str] | None = None, **headers: str) -> Result:
        """Send a form of the page that was shown last."""
        return self.post_raw(
            path, urlencode({"form_token": self.form_token, **(sent or {})}), **headers
        )

    def post_raw(self, path: str, body: str, **headers: str) -> Result:
        """Send a form as it is written."""
        return self._ask(
            "POST", path, {"Content-Type": FORM, "Origin": self._origin, **headers}, body
        )

    def act(self, path: str, sent: dict[str, str]) -> Result:
        """Press a button on the page of a payment, which is opened for it."""
        return self.post(f"{path}/act", {"mark": self.mark_on(path), **sent})

    def mark_on(self, path: str) -> str:
        """The mark of the forms on the page of a payment, or that of none."""
        found = MARK.search(self.get(path).text)
        return found[1] if found else "0" * 32

    def _ask(self, method: str, path: str, headers: dict[str, str], body: str = "") -> Result:
        path, _, query = path.partition("?")
        scheme, _, host = self._origin.partition("://")
        answer = self._gateway.client.simulate_request(
            method,
            path,
            query_string=query,
            protocol=scheme,
            headers={"Host": host, **headers},
            cookies=self.cookies,
            body=body,
            remote_addr="127.0.0.1",
            extras={"sandgate.has_left": self.has_left},
        )
        self.cookies |= {name: each.value for name, each in answer.cookies.items()}
        self.cookies = {name: value for name, value in self.cookies.items() if value}
        found = FORM_TOKEN.search(answer.text)
        self.form_token = found[1] if found else self.form_token
        return answer


def administrator_of(gateway: Gateway, name: str = "anna") -> Visitor:
    """The first administrator of a gateway, who has just joined."""
    visitor = Visitor(gateway)
    joined = visitor.post(f"/{gateway.console_path}", {"name": name, "password": PASSWORD})
    assert joined.status_code == 303, joined.text
    visitor.get("/console/people")
    return visitor


def person_of(gateway: Gateway, role: str, name: str) -> Visitor:
    """A person who was invited through the control API, and has joined."""
    link = gateway.control("POST", "/people", {"role": role, "name": name}).json["link"]
    visitor = Visitor(gateway)
    path = "/" + link.split("/", 3)[3]
    assert visitor.post(path, {"password": PASSWORD}).status_code == 303
    return visitor
