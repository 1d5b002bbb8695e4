"""The workbench: what it sends, and what it copies for others."""
