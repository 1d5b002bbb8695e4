"""Loads the conformance suite's plugin: its tags must be known before any feature is collected."""

pytest_plugins = ("features.plugin",)
