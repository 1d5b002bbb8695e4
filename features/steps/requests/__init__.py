"""Steps about requests and responses: their encoding, formats, errors, limits and versions."""
