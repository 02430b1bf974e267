"""Tables in and out of files, and how outputs become visible: all or none."""
