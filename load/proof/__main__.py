"""`python -m load.proof`: kills, power cuts, terminals, captures at once, throttling, a
soak test, floods, hostile values, a full sandbox, the console, settlement.
"""

import re
from collections.abc import Callable, Mapping
from time import perf_counter
from typing import Annotated

import typer

from load.figures.figure import Figure, missed_names, print_table, write_figures
from load.proof.console_figures import console_figures
from load.proof.figures import (
    capture_figures,
    delivery_figures,
    external_kill_figures,
    kill_figures,
    power_cut_figures,
    soak_figures,
    throttle_figures,
)
from load.proof.flood_figures import flood_figures
from load.proof.held_figures import held_figures
from load.proof.plan import FULL, QUICK, ProofPlan
from load.proof.postgresql_figures import (
    disk_full_figures,
    failover_figures,
    fleet_figures,
    postgresql_figures,
    processor_figures,
    upgrade_figures,
)
from load.proof.programs import ProgramFailedError, failed_run
from load.proof.settlement_figures import settlement_figures, settlement_kill_figures
from load.proof.suite_figures import fleet_suite_figures, steady_suite_figures
from load.proof.terminals.figures import (
    first_dip_figures,
    serial_figures,
    terminal_counter_figures,
    terminal_fault_figures,
    terminal_input_figures,
    terminal_vector_figures,
)
from reports.machine import command_line_of, describe_run

TITLE, ALL = "Figures of the proofs", "proof"
PROOFS: Mapping[str, Callable[[ProofPlan], list[Figure]]] = {
    "captures at once": capture_figures,
    "kills": kill_figures,
    "external kills": external_kill_figures,
    "postgresql": postgresql_figures,
    "fleet": fleet_figures,
    "failover": failover_figures,
    "disk full": disk_full_figures,
    "upgrade": upgrade_figures,
    "suite": steady_suite_figures,
    "fleet suite": fleet_suite_figures,
    "processor": processor_figures,
    "deliveries": delivery_figures,
    "power cuts": power_cut_figures,
    "terminal vectors": terminal_vector_figures,
    "terminal inputs": terminal_input_figures,
    "terminal counters": terminal_counter_figures,
    "terminal faults": terminal_fault_figures,
    "first dip": first_dip_figures,
    "gateway counters": serial_figures,
    "throttle oracle": throttle_figures,
    "soak": soak_figures,
    "floods": flood_figures,
    "held": held_figures,
    "console": console_figures,
    "settlement": settlement_figures,
    "settlement kills": settlement_kill_figures,
}
KEPT_NAME = re.compile("[a-z]{1,40}")
DEPRECATED_NAMES = {"kills on the line": "external kills"}


def main(
    only: Annotated[list[str] | None, typer.Option(help=f"One of {', '.join(PROOFS)}.")] = None,
    quick: Annotated[bool, typer.Option(help="Run few rounds to try the proofs.")] = False,
    keep: Annotated[
        str, typer.Option(metavar="NAME", help="Store the figures of --only under this name.")
    ] = "",
) -> None:
    """Try to make the gateway lose or duplicate a payment. Complete runs that are not quick are
    stored in load/figures/. Ends with status 1 when a figure misses its goal.
    """
    if keep and not KEPT_NAME.fullmatch(keep):
        raise typer.BadParameter("--keep: expected lower case letters")
    run = describe_run(command_line_of("load.proof"))
    figures = prove(QUICK if quick else FULL, select_names(only or list(PROOFS)))
    print_table(TITLE, figures)
    if not quick and (keep or not only):
        write_figures(keep or ALL, TITLE, run, figures)
    if missed_names(figures):
        raise typer.Exit(1)


def select_names(names: list[str]) -> list[str]:
    """Return the names of proofs, with deprecated ones replaced. Raises typer.BadParameter."""
    for old, new in DEPRECATED_NAMES.items():
        if old in names:
            typer.echo(f"--only '{old}' is deprecated; use --only '{new}'", err=True)
    selected = [DEPRECATED_NAMES.get(name, name) for name in names]
    unknown = sorted(set(selected) - PROOFS.keys())
    if unknown:
        raise typer.BadParameter(f"expected some of {', '.join(PROOFS)}, got {', '.join(unknown)}")
    return selected


def prove(plan: ProofPlan, names: list[str]) -> list[Figure]:
    """Run these proofs, and return their figures."""
    figures: list[Figure] = []
    for name in names:
        typer.echo(f"proving: {name}", err=True)
        began = perf_counter()
        try:
            figures += PROOFS[name](plan)
        except ProgramFailedError:
            figures.append(failed_run(name))
        figures.append(Figure(f"{name}: time taken", "s", (perf_counter() - began,)))
    return figures


if __name__ == "__main__":
    typer.run(main)
