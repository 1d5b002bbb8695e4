"""Every scenario of every feature file in this folder. A new file needs nothing but itself."""

from pytest_bdd import scenarios

scenarios(".")
