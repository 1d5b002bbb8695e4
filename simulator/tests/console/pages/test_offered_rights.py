"""What a page offers asks for the rights that the page looks at before it offers it."""

import re
from collections.abc import Iterator
from importlib.resources import files

import pytest
from jinja2 import Environment, nodes

from simulator.domain.console.rights import Right
from simulator.web.console.routes import ROWS, page_behind

TEMPLATES = files("simulator.web.console") / "templates"
OFFERED = re.compile(r'(method="post" )?(?:action|href)="(/console/[^"?]*)"')
STEP = "/console/{}/stage/"


class Offered:
    """What a template offers: method and path, with the rights that are looked at around it."""

    def __init__(self, source: str):
        self._named: dict[str, set[Right]] = {}
        self._texts: dict[str, str] = {}
        self.found = list(self._in(Environment().parse(source), set()))

    def _in(self, node: nodes.Node, around: set[Right]) -> Iterator[tuple[str, str, set[Right]]]:
        if isinstance(node, nodes.Assign) and isinstance(node.target, nodes.Name):
            self._named[node.target.name] = self._looked_at(node.node)
            self._texts[node.target.name] = self._text(node.node)
        if isinstance(node, nodes.Output):
            text = "".join(map(self._text, node.nodes))
            for method, path in OFFERED.findall(text):
                yield "POST" if method else "GET", path, around
        within = around | self._looked_at(node.test) if isinstance(node, nodes.If) else around
        for child in node.iter_child_nodes(exclude=("test", "elif_", "else_")):
            yield from self._in(child, within)
        for other in (*getattr(node, "elif_", ()), *(getattr(node, "else_", None) or ())):
            yield from self._in(other, around)

    def _looked_at(self, test: nodes.Node) -> set[Right]:
        """The rights that a test asks for, all of them."""
        if isinstance(test, nodes.And):
            return self._looked_at(test.left) | self._looked_at(test.right)
        if isinstance(test, nodes.Name):
            return self._named.get(test.name, set())
        is_may = isinstance(test, nodes.Call) and getattr(test.node, "attr", "") == "may"
        return {Right[test.args[0].attr]} if is_may else set()

    def _text(self, node: nodes.Node) -> str:
        if isinstance(node, nodes.Call) and getattr(node.node, "name", "") == "deed":
            return f'method="post" action="{STEP}{node.args[0].value}"'
        if isinstance(node, nodes.Concat):
            return "".join(map(self._text, node.nodes))
        if isinstance(node, nodes.Name):
            return self._texts.get(node.name, "{}")
        known = getattr(node, "data", getattr(node, "value", None))
        return known if isinstance(known, str) else "{}"


def rights_of(method: str, path: str) -> set[Right]:
    """What the route asks for beside reading; that of a form, only beyond its page."""
    rows = [row for row in ROWS if (row.method, _shape(row.path)) == (method, path)]
    page = page_behind(rows[0].path) if rows and method == "POST" else ""
    shown = [row for row in ROWS if (row.method, row.path) == ("GET", page)]
    behind = {right for row in shown for right in row.rights}
    return {right for row in rows for right in row.rights} - behind - {Right.READ}


def _shape(path: str) -> str:
    return re.sub(r"\{\w+\}", "{}", path)


@pytest.mark.parametrize("name", sorted(each.name for each in TEMPLATES.iterdir()))
def test_what_a_page_offers_asks_for_what_the_page_looks_at(name: str) -> None:
    offered = Offered((TEMPLATES / name).read_text()).found
    asked = [(*each, rights_of(*each[:2])) for each in offered]

    # A link may stand where the page itself asks for as much.
    odd = [each for each in asked if each[2] != each[3] and (each[0] == "POST" or each[2])]

    assert odd == []


def test_forms_are_found_with_what_is_looked_at_around_them() -> None:
    found = Offered((TEMPLATES / "stage_now.html").read_text()).found
    keep = ("POST", "/console/{}/recording/keep", {Right.OPERATE, Right.TEACH})
    assert keep in found and ("POST", f"{STEP}next", {Right.OPERATE}) in found
