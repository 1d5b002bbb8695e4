"""How the far side answers: behaviours, their loader and matcher, and the order of steering."""
