"""A table for an evening: journal, live match, camera and evidence."""
