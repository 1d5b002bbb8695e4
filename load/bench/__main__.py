"""`python -m load.bench`: measure, print a table, and keep the figures with machine and date."""

import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated

import typer

from load.bench.carts import cart_figures
from load.bench.checks import check_figures
from load.bench.deliveries import delivery_figures
from load.bench.disk import disk_figures
from load.bench.external import external_figures
from load.bench.idle import idle_figures
from load.bench.memory import memory_figures
from load.bench.plan import FULL, QUICK, Plan
from load.bench.queries import query_figures
from load.bench.sandboxes import sandbox_figures
from load.bench.starts import start_figures
from load.bench.throughput import throughput_figures
from load.figure import Figure, missed, print_table, write
from load.machine import command_of, facts
from load.servers import pin_ourselves

TITLE = "Figures of the bench"

# fmt: off
ITEMS: Mapping[str, Callable[[Plan, Path], list[Figure]]] = {
    "check":      check_figures,
    "carts":      cart_figures,
    "sandboxes":  sandbox_figures,
    "starts":     start_figures,
    "memory":     memory_figures,
    "idle":       idle_figures,
    "disk":       disk_figures,
    "throughput": throughput_figures,
    "external":   external_figures,
    "queries":    query_figures,
    "deliveries": delivery_figures,
}
# fmt: on


def main(
    only: Annotated[list[str] | None, typer.Option(help=f"One of {', '.join(ITEMS)}.")] = None,
    quick: Annotated[bool, typer.Option(help="Try the bench: too short to be believed.")] = False,
) -> None:
    """Measure what the project promises. A whole run that is not quick is kept in load/figures/.

    Ends with status 1 when a figure misses what it must reach.
    """
    unknown = sorted(set(only or ()) - ITEMS.keys())
    if unknown:
        raise typer.BadParameter(f"no such item: {', '.join(unknown)}; known: {', '.join(ITEMS)}")
    known = facts(command_of("load.bench"))
    pin_ourselves()
    figures = measure(only or list(ITEMS), QUICK if quick else FULL)
    print_table(TITLE, figures)
    if not quick and not only:
        write("bench", TITLE, known, figures)
    if not quick and missed(figures):
        raise typer.Exit(1)


def measure(names: list[str], plan: Plan) -> list[Figure]:
    """The figures of these items, over data folders that are gone afterwards."""
    figures: list[Figure] = []
    for name in names:
        typer.echo(f"measuring: {name}", err=True)
        with tempfile.TemporaryDirectory(prefix="sandgate-bench-") as folder:
            figures += ITEMS[name](plan, Path(folder))
    return figures


if __name__ == "__main__":
    typer.run(main)
