"""The server the suite starts for itself."""

from pathlib import Path

import pytest

from simulator.client.processes import ServerStartError, gateway_in


def test_a_server_that_cannot_start_says_why(tmp_path: Path) -> None:
    unknown = gateway_in(tmp_path, "--no-such-option")
    with pytest.raises(ServerStartError, match="ended with status 2"), unknown:
        pass
