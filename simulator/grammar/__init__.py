"""The words rules are written in. Imports no other package of the project."""
