"""Libraries that only some commands and claims need, and the extra that installs each."""

EXTRAS = {
    "duckdb": "release",
    "highspy": "suppress",
    "jinja2": "report",
    "markupsafe": "report",
    "matplotlib": "report",
    "pandas": "release",
    "pyarrow": "release",
    "pyspark": "spark",
    "xlsxwriter": "release",
}
"""The extra of ``establish`` by the module that it brings."""


def library_of(error: ModuleNotFoundError) -> str:
    """The library that is not installed; empty when what is missing is a module of an installed one."""
    name = error.name or ""
    return "" if name.partition(".")[0] == "establish" or "." in name else name


def how_to_install(library: str) -> str:
    """The command that installs it; our own extras in a clone, as the package is not published."""
    wanted = f".[{EXTRAS[library]}]" if library in EXTRAS else library
    return f"pip install '{wanted}'"
