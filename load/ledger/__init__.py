"""The ledger of a load run: one line for each request, collected from all processes."""
