"""Steps about payments of every kind, checkouts, registrations, schedules and reports."""
