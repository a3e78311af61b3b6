"""The desktop calculator: Qt views of a session."""
