"""Weights with their model card, and the recipe that made them."""
