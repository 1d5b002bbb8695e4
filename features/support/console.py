"""A person at the console of the target: a cookie, and the forms of the pages they were shown."""

import re
from collections.abc import Mapping
from copy import copy
from secrets import token_hex

from features.support.shopper import FORM
from simulator.client import Answer, Connection, form_of

HIDDEN = re.compile(r'name="form_token" value="([^"]+)"')


class ConsolePerson:
    """One browser at the console; `connection` leads to the target."""

    def __init__(self, connection: Connection):
        self._connection = connection
        self._cookie = ""
        self._form_token = ""

    def another(self) -> "ConsolePerson":
        """A second window of the same browser."""
        other = copy(self)
        other._connection = self._connection.another()
        return other

    def join(self, link: str) -> Answer:
        """Choose a password on the page of an invitation, and be signed in."""
        return self.send(f"/console/{link.partition('/console/')[2]}", {"password": token_hex()})

    def open(self, path: str) -> Answer:
        """A page."""
        return self._ask("GET", path, {})

    def send(self, path: str, fields: Mapping[str, str]) -> Answer:
        """A form of the page that was shown last."""
        sent = {**fields, **({"form_token": self._form_token} if self._form_token else {})}
        return self._ask("POST", path, {"Content-Type": FORM}, form_of(sent))

    def _ask(
        self, method: str, path: str, headers: Mapping[str, str], body: bytes | None = None
    ) -> Answer:
        cookie = {"Cookie": self._cookie} if self._cookie else {}
        answer = self._connection.ask(
            method, path.lstrip("/"), headers={**headers, **cookie}, body=body
        )
        given = answer.headers.get("set-cookie", "").partition(";")[0]
        self._cookie = given or self._cookie
        found = HIDDEN.search(text_of(answer))
        self._form_token = found[1] if found else self._form_token
        return answer


def text_of(answer: Answer) -> str:
    """The text of a page."""
    return answer.body.decode("utf-8", "replace") if isinstance(answer.body, bytes) else ""
