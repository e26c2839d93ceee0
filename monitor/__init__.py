"""Composition: the only code that imports both vision/ and rules/."""
