"""Steps about the simulators and the sandbox clock."""
