"""The classroom: one instructor, one to eight teams on the same storm, on one machine.

``folder`` writes a room to disk and finds it again, ``rooms`` plays it, ``moment`` and ``ground``
say what a page is told; none of them knows HTTP. The rest serves it.
"""
