"""`python -m load.bench`: measure, print a table, and store the figures with machine and date."""

import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated

import typer

from load.bench.deliveries import delivery_figures
from load.bench.disk import disk_figures
from load.bench.external import external_figures
from load.bench.forms import form_figures
from load.bench.idle import idle_figures
from load.bench.in_process.carts import cart_figures
from load.bench.in_process.checks import check_figures
from load.bench.in_process.large_work import large_work_figures
from load.bench.memory import memory_figures
from load.bench.operations import operation_figures
from load.bench.peers import peer_figures
from load.bench.plan import FULL, QUICK, BenchPlan
from load.bench.queries import query_figures
from load.bench.sandboxes import sandbox_figures
from load.bench.starts import start_figures
from load.bench.terminals import terminal_figures
from load.bench.throughput import throughput_figures
from load.figures.figure import Figure, missed_names, print_table, write_figures
from load.gateway.server import pin_client
from reports.machine import command_line_of, describe_run

TITLE = "Figures of the bench"

# fmt: off
ITEMS: Mapping[str, Callable[[BenchPlan, Path], list[Figure]]] = {
    "check":      check_figures,
    "carts":      cart_figures,
    "large work": large_work_figures,
    "sandboxes":  sandbox_figures,
    "starts":     start_figures,
    "memory":     memory_figures,
    "idle":       idle_figures,
    "disk":       disk_figures,
    "throughput": throughput_figures,
    "operations": operation_figures,
    "forms":      form_figures,
    "external":   external_figures,
    "terminals":  terminal_figures,
    "queries":    query_figures,
    "deliveries": delivery_figures,
    "peers":      peer_figures,
}
# fmt: on


def main(
    only: Annotated[list[str] | None, typer.Option(help=f"One of {', '.join(ITEMS)}.")] = None,
    quick: Annotated[bool, typer.Option(help="Run briefly to try the bench.")] = False,
) -> None:
    """Measure the figures the project promises. Complete runs that are not quick are stored in
    load/figures/. Ends with status 1 when a figure misses its goal.
    """
    unknown = sorted(set(only or ()) - ITEMS.keys())
    if unknown:
        raise typer.BadParameter(f"expected some of {', '.join(ITEMS)}, got {', '.join(unknown)}")
    run = describe_run(command_line_of("load.bench"))
    pin_client()
    figures = measure(only or list(ITEMS), QUICK if quick else FULL)
    print_table(TITLE, figures)
    if not quick and not only:
        write_figures("bench", TITLE, run, figures)
    if not quick and missed_names(figures):
        raise typer.Exit(1)


def measure(names: list[str], plan: BenchPlan) -> list[Figure]:
    """Measure these items with temporary data folders."""
    figures: list[Figure] = []
    for name in names:
        typer.echo(f"measuring: {name}", err=True)
        with tempfile.TemporaryDirectory(prefix="sandgate-bench-") as folder:
            figures += ITEMS[name](plan, Path(folder))
    return figures


if __name__ == "__main__":
    typer.run(main)
