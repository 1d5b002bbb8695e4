"""Loads the conformance suite's plugin, whose tags must be known before any feature is collected.

Sets what holds for every property test.
"""

from hypothesis import settings

pytest_plugins = ("features.plugin",)

# No verdict of a test depends on how busy its machine is.
settings.register_profile("sandgate", deadline=None)
settings.load_profile("sandgate")
