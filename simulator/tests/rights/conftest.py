"""The gateway of the console's tests."""

from simulator.tests.console.conftest import anna, sandbox

__all__ = ["anna", "sandbox"]
