"""The command line of the proofs."""

import pytest
import typer

from load.proof.__main__ import PROOFS, select_names


def test_a_deprecated_name_selects_the_proof_of_its_new_name(capsys):
    assert select_names(["kills on the line"]) == ["external kills"]
    assert "deprecated; use --only 'external kills'" in capsys.readouterr().err


def test_an_unknown_proof_is_refused_with_the_known_ones():
    with pytest.raises(typer.BadParameter, match=f"expected some of {', '.join(PROOFS)}, got no"):
        select_names(["no"])
