"""PySide6 6.12.0 on Python before 3.12 loses a reference to None in every call and ends the process after some thousand."""

import sys

import needs

needs.qt()


def test_qt_calls_keep_the_references_to_none():
    from PySide6.QtCore import QObject

    item = QObject()
    before = sys.getrefcount(None)
    for _ in range(500):
        item.setObjectName("x")
    lost = before - sys.getrefcount(None)
    assert abs(lost) < 50, f"500 calls changed the count by {-lost}: install another PySide6 (settings.ini excludes 6.12.0)"
