"""Finds the resource of a path. What the paths look like is compiled once for all applications.

Falcon's router compiles anew for each application, which is most of what it takes to build one.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import Any, cast

from falcon import Request
from falcon.constants import COMBINED_METHODS
from falcon.responders import create_default_options, create_method_not_allowed
from falcon.routing import CompiledRouter, set_default_responders
from falcon.routing.util import SuffixedMethodNotFoundError

from simulator.web.http.route import Route

Responders = dict[str, Any]
# Applications of a process have few lists of paths between them, and few sets of methods.
KEPT_SHAPES, KEPT_DEFAULTS = 8, 64
RESPONDERS = {method: f"on_{method.lower()}" for method in COMBINED_METHODS}


class Router:
    """Falcon's own router finds which path was asked for, this one knows who answers there.

    `methods` are those of each path. Raises what Falcon's raises: UnacceptableRouteError for paths
    that contradict each other, and SuffixedMethodNotFoundError for a suffix that no responder has.
    """

    def __init__(self, routes: Iterable[Route]):
        self._answering: dict[str, tuple[object, Responders]] = {}
        self.methods: dict[str, list[str]] = {}
        for route in routes:
            self._add(*route)
        self._shape = _shape_of(tuple(self._answering))

    def add_route(self, uri_template: str, resource: object, **more: Any) -> None:
        """Let `resource` answer at one more path, by the responders of the `suffix` in `more`."""
        self._add(uri_template, resource, more.get("suffix"))
        self._shape = _shape_of(tuple(self._answering))

    def _add(self, path: str, resource: object, suffix: str | None) -> None:
        declared = declared_by(resource, f"_{suffix}" if suffix else "")
        self.methods[path] = [*declared, "OPTIONS"]
        self._answering[path] = resource, {**_defaults(tuple(declared)), **declared}

    def find(
        self, uri: str, req: Request | None = None
    ) -> tuple[object, Responders, dict[str, Any], str | None] | None:
        """Who answers at `uri`, how, the values in it, and the path as its row writes it.

        Falcon's router passes over slashes at the start, so it is not asked. Choice: D-700.
        """
        found = None if uri.startswith("//") else self._shape.find(uri, req)
        if found is None:
            return None
        _, _, values, path = found
        resource, responders = self._answering[path or ""]
        return resource, responders, values, path


def declared_by(resource: object, end: str) -> Responders:
    """The responders of a resource whose names have this end, by their methods.

    Falcon's `map_http_methods` raises and catches an error for each of the many methods that a
    resource has not. Raises SuffixedMethodNotFoundError.
    """
    found = {
        method: responder
        for method, name in RESPONDERS.items()
        if callable(responder := getattr(resource, name + end, None))
    }
    if end and not found:
        raise SuffixedMethodNotFoundError(f"no responder ends in {end}: {type(resource).__name__}")
    return found


def as_framework_router(router: Router) -> CompiledRouter:
    """What Falcon takes any router for, of which it asks no more than the two methods above."""
    return cast(CompiledRouter, router)


@lru_cache(maxsize=KEPT_SHAPES)
def _shape_of(paths: tuple[str, ...]) -> CompiledRouter:
    """What finds a path among `paths`; Falcon compiles it when it is first asked."""
    shape, unanswered = CompiledRouter(), object()
    for path in paths:
        shape.add_route(path, unanswered)
    return shape


@lru_cache(maxsize=KEPT_DEFAULTS)
def _defaults(declared: tuple[str, ...]) -> Responders:
    """What answers for a resource with these methods: all other methods with 405, and OPTIONS.

    Falcon's own answer to OPTIONS leaves that method out of those it names.
    """
    allowed = [*sorted(declared), "OPTIONS"]
    responders: Responders = dict.fromkeys(declared)
    responders.setdefault("OPTIONS", create_default_options(allowed))
    set_default_responders(responders, default_responder=create_method_not_allowed(allowed))
    return responders
