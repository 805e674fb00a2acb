"""What is never shipped: training, studies, and what writes generated pages and files."""

import bot  # noqa: F401 - it says how many threads numpy may use, before anything imports numpy
