"""The merchant API, spoken by one entity with one token."""

from collections.abc import Mapping
from copy import copy
from typing import Protocol

from simulator.client.shown.unreadable import HiddenHeaders
from simulator.client.wire import Answer, Connection, Interceptor, Parameters, form_of, pairs_of

FORM = "application/x-www-form-urlencoded; charset=UTF-8"


class NameTranslation(Protocol):
    """What a gateway calls by other names than its client does."""

    def path(self, path: str) -> str:
        """A path as the gateway calls it; a query stays behind it."""

    def form(self, body: bytes) -> bytes:
        """A form with the names of the gateway."""

    def answer(self, answer: Answer) -> Answer:
        """An answer with the names of the client."""


class Client:
    """The merchant API, as one entity with one token sees it."""

    def __init__(
        self,
        base_url: str,
        token: str,
        entity_id: str,
        *,
        timeout_s: float = 10,
        ca_file: str | None = None,
        around: Interceptor | None = None,
        names: NameTranslation | None = None,
    ):
        __tracebackhide__ = True
        self._names = names
        self.base_url = base_url
        self.token = token
        self.entity_id = entity_id
        self._connection = Connection(base_url, timeout_s=timeout_s, ca_file=ca_file, around=around)

    def post(self, path: str, parameters: Parameters) -> Answer:
        """The answer to a form of `parameters`, the entity id added where it is not among them."""
        return self.request("POST", path, body=form_of(self._with_entity(parameters)))

    def get(self, path: str, parameters: Parameters = ()) -> Answer:
        """The answer to a read; parameters and entity id travel in the query."""
        return self.request("GET", f"{path}?{self._query(parameters)}")

    def delete(self, path: str, parameters: Parameters = ()) -> Answer:
        """The answer to a removal; parameters and entity id travel in the query."""
        return self.request("DELETE", f"{path}?{self._query(parameters)}")

    def request(
        self,
        method: str,
        path: str,
        *,
        headers: Mapping[str, str | None] | None = None,
        body: bytes | None = None,
    ) -> Answer:
        """The answer to exactly these bytes. A header given as None is left out."""
        headers = HiddenHeaders(self._headers(body, headers or {}))
        if self._names is None:
            return self._connection.ask(method, path, headers=headers, body=body)
        is_form = body and headers.get("Content-Type", "").startswith(FORM.partition(";")[0])
        named = self._names.form(body) if body and is_form else body
        path = self._names.path(path)
        return self._names.answer(self._connection.ask(method, path, headers=headers, body=named))

    def with_credentials(self, token: str, entity_id: str) -> "Client":
        """The same connection, used with another token and entity."""
        other = copy(self)
        other.token, other.entity_id = token, entity_id
        return other

    def on_own_connection(self) -> "Client":
        """The same credentials on a connection of its own, for what is asked at the same time."""
        other = copy(self)
        other._connection = self._connection.another()
        return other

    def close(self) -> None:
        """Close the connection; the next request opens another."""
        self._connection.close()

    def _headers(self, body: bytes | None, given: Mapping[str, str | None]) -> dict[str, str]:
        ours = {"Authorization": f"Bearer {self.token}"} | ({"Content-Type": FORM} if body else {})
        return {name: text for name, text in {**ours, **given}.items() if text is not None}

    def _with_entity(self, parameters: Parameters) -> list[tuple[str, str]]:
        pairs = pairs_of(parameters)
        named = any(name == "entityId" for name, _ in pairs)
        return pairs if named else [("entityId", self.entity_id), *pairs]

    def _query(self, parameters: Parameters) -> str:
        return form_of(self._with_entity(parameters)).decode()
