"""report.html: one self-contained page; the figures in it come from pure modules beside it."""
