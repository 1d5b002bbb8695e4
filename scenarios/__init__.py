"""How the simulators answer: behaviours, their loader and matcher, and the order of steering."""
