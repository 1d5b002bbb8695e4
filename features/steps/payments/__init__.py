"""Steps about payments of every kind, and about what stores, schedules and reports them."""
