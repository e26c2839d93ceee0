"""Truth against output: what the evaluation counts, and how it is printed.

`monitor.evaluate.evaluate` is the entry; `python -m monitor.evaluation FOLDER...` prints
the table without the command line.
"""
