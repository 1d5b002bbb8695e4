"""The words rules are written in. Imports nothing of ours."""
