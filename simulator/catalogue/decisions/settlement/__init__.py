"""Decisions about settlement and reconciliation."""
