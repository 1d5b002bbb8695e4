"""The gateway under load: its server process, the target of a run, receivers of webhooks."""
