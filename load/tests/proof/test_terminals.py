"""The proofs of terminals: a program that fails is a figure that is missed."""

from load.figures.figure import missed_names
from load.proof.__main__ import prove
from load.proof.plan import QUICK
from load.proof.terminals.figures import terminal_vector_figures


def test_every_published_value_is_counted():
    figures = {each.name: each for each in terminal_vector_figures(QUICK)}

    assert figures["terminal vectors: published values"].values == (366,)
    assert missed_names(figures.values()) == []


def test_terminals_that_fail_are_a_missed_figure(capsys):
    # Fewer payments than kills cannot be counted, and no payment ends approved.
    plan = QUICK._replace(terminal_kills=0, terminal_faulty=0, terminal_rounds=1)

    assert missed_names(prove(plan, ["terminal counters", "terminal faults"])) == [
        "terminal counters: runs that failed",
        "terminal faults: runs whose ledgers differ",
    ]
    assert "counter_kills" in capsys.readouterr().err
