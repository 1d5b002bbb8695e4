"""The mark of a form, that of no other one: what is sent twice is done once. Choices: D-691,
D-702.
"""

import re

MARK_LENGTH = 32
MARK = re.compile(f"[0-9a-f]{{{MARK_LENGTH}}}")
