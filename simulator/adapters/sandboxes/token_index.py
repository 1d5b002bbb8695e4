"""Which sandbox has which token and merchant."""

from simulator.domain.core.entities import Sandbox
from simulator.domain.core.errors import InvalidInputError


class TokenIndex:
    """Sandboxes by the hashes of their tokens, and by the ids of their merchants."""

    def __init__(self) -> None:
        self.of_token: dict[str, str] = {}
        self.of_merchant: dict[str, str] = {}

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
            self.of_merchant.pop(merchant.id, None)
            for token in merchant.tokens:
                self.of_token.pop(token.hash, None)

    def forget(self, identity: str) -> None:
        """Know nothing of the sandbox with this id any more."""
        for known in (self.of_merchant, self.of_token):
            for key in [each for each, sandbox in known.items() if sandbox == identity]:
                del known[key]

    def refuse_foreign(self, sandbox: Sandbox) -> None:
        """Raise InvalidInputError where another sandbox has one of the merchants or tokens."""
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
