"""The closing check: after a run the ledger is compared with what the gateway shows."""
