"""Which sandbox has which token and merchant."""

from collections.abc import Iterator
from contextlib import contextmanager

from simulator.domain.core.entities import Sandbox
from simulator.domain.core.errors import InvalidInputError


class TokenIndex:
    """Sandboxes by the hashes of their tokens, and by the ids of their merchants."""

    def __init__(self) -> None:
        self.of_token: dict[str, str] = {}
        self.of_merchant: dict[str, str] = {}
        self._arriving: list[Sandbox] = []

    def add(self, sandbox: Sandbox) -> None:
        """Know a sandbox."""
        # Suspended ones too: no other sandbox may bring a token that is taken.
        for merchant in sandbox.merchants:
            self.of_merchant[merchant.id] = sandbox.id
            for token in merchant.tokens:
                self.of_token[token.hash] = sandbox.id

    def remove(self, sandbox: Sandbox) -> None:
        """Know no token of this record any more."""
        for merchant in sandbox.merchants:
            _remove(self.of_merchant, merchant.id, sandbox.id)
            for token in merchant.tokens:
                _remove(self.of_token, token.hash, sandbox.id)

    def forget(self, identity: str) -> None:
        """Know nothing of the sandbox with this id any more."""
        for known in (self.of_merchant, self.of_token):
            for key in [each for each, sandbox in known.items() if sandbox == identity]:
                del known[key]

    @contextmanager
    def arriving(self, sandbox: Sandbox) -> Iterator[None]:
        """Held while a sandbox is restored, so that no other one brings its merchants or tokens
        meanwhile. Raises InvalidInputError where another one has them.
        """
        self._refuse_foreign(sandbox)
        self._arriving.append(sandbox)
        try:
            yield
        finally:
            self._arriving = [each for each in self._arriving if each is not sandbox]

    def _refuse_foreign(self, sandbox: Sandbox) -> None:
        others = TokenIndex()
        for each in self._arriving:
            others.add(each)
        for known in (self, others):
            known._refuse_known(sandbox)

    def _refuse_known(self, sandbox: Sandbox) -> None:
        for merchant in sandbox.merchants:
            if self.of_merchant.get(merchant.id, sandbox.id) != sandbox.id:
                raise InvalidInputError(
                    "merchants", "merchants of this sandbox", "one of another sandbox"
                )
            for token in merchant.tokens:
                if self.of_token.get(token.hash, sandbox.id) != sandbox.id:
                    raise InvalidInputError(
                        "merchants", "access tokens of this sandbox", "one of another sandbox"
                    )


def _remove(known: dict[str, str], key: str, identity: str) -> None:
    # A record that was never stored may name what another sandbox has.
    if known.get(key) == identity:
        del known[key]
