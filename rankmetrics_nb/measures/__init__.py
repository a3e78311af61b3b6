"""The measures, one family a module."""
