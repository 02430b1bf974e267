"""A command was asked for something that it cannot do."""


class Misuse(Exception):
    """One clear line for the user: the command ends with status 2 and nothing is written."""
