"""Tests of the detector's data set, training and shipped files."""
