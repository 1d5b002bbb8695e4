"""A merchant who does anything at any time: what all sides say of the money agrees."""
