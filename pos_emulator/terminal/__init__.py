"""The terminal: takes orders of a till, reads cards, asks the gateway, and keeps its journal."""
