"""Exact truth: simulated shots, rendered frames, labels. Never imported by the product path."""
