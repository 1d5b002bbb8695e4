"""Which sandbox has which token and merchant."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager

from simulator.domain.core.entities import Sandbox
from simulator.domain.core.errors import DamagedLogError, InvalidInputError


class TokenIndex:
    """Sandboxes by the hashes of their tokens, and by the ids of their merchants."""

    def __init__(self) -> None:
        self.of_token: dict[str, str] = {}
        self.of_merchant: dict[str, str] = {}
        # What the sandbox with an id is found by.
        self._keys_of: dict[str, Sequence[str]] = {}
        self._arriving: list[Sandbox] = []
        # Sandboxes that changed, whose records were not read yet.
        self._unread: dict[str, None] = {}

    def add(self, sandbox: Sandbox) -> None:
        """Know a sandbox by this record, and by no other that it had."""
        self.forget(sandbox.id)
        self.add_too(sandbox)

    def add_too(self, sandbox: Sandbox) -> None:
        """Know a sandbox by this record as well, which may be the one that stands."""
        keys = [*self._keys_of.get(sandbox.id, ())]
        # Suspended ones too: no other sandbox may bring a token that is taken.
        for merchant in sandbox.merchants:
            self.of_merchant[merchant.id] = sandbox.id
            for token in merchant.tokens:
                self.of_token[token.hash] = sandbox.id
            keys += (merchant.id, *(token.hash for token in merchant.tokens))
        self._keys_of[sandbox.id] = tuple(keys)

    def know_changed(
        self, identities: Iterable[str], read: Callable[[str], Sandbox | None]
    ) -> None:
        """Know these sandboxes by the records that stand. Raises what `read` raises: those that
        were not read are read at the next call, but for one that is damaged.
        """
        self._unread.update(dict.fromkeys(identities))
        for identity in [*self._unread]:
            try:
                stands = read(identity)
            except DamagedLogError:
                # It stays so, and keeps none of the others back.
                self._unread.pop(identity, None)
                raise
            self.know(identity, stands)
            self._unread.pop(identity, None)

    def know(self, identity: str, stands: Sandbox | None) -> None:
        """Know the sandbox with this id by the record that stands, or nothing of it."""
        if stands is None:
            self.forget(identity)
        else:
            self.add(stands)

    def forget(self, identity: str) -> None:
        """Know nothing of the sandbox with this id any more."""
        for key in self._keys_of.pop(identity, ()):
            for known in (self.of_merchant, self.of_token):
                # A record that was never stored may name what another sandbox has.
                if known.get(key) == identity:
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
