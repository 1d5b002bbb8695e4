"""Steps about merchants: their channels, their credentials and the hosts they use."""
