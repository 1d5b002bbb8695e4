"""The virtual users of a run: who they are, what they do and how often. Imported by Locust only."""
