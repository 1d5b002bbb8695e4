"""Sandboxes that are being loaded: each once, for all who ask for it meanwhile."""

from collections.abc import Callable

from gevent.event import AsyncResult

from simulator.adapters.sandboxes.runtime import SandboxRuntime


class Loadings:
    """Those under way; `load` loads the sandbox with an id."""

    def __init__(self, load: Callable[[str], SandboxRuntime]):
        self._load = load
        self._under_way: dict[str, AsyncResult] = {}

    def __contains__(self, identity: str) -> bool:
        return identity in self._under_way

    def of(self, identity: str) -> SandboxRuntime:
        """The runtime, once it is loaded. Raises what `load` raises."""
        if (loading := self._under_way.get(identity)) is None:
            loading = self._under_way[identity] = AsyncResult()
            try:
                loading.set(self._load(identity))
            except BaseException as error:
                loading.set_exception(error)
            finally:
                del self._under_way[identity]
        runtime: SandboxRuntime = loading.get()
        return runtime

    def wait(self, identity: str) -> None:
        """Return once the sandbox is not being loaded."""
        if (loading := self._under_way.get(identity)) is not None:
            loading.wait()
