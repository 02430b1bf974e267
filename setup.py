"""The packages: each folder with an ``__init__.py``, and what pyproject.toml calls ``establish`` itself."""

from setuptools import find_packages, setup

FOLDERS = ("spec", "impl", "proofs_check")
found = find_packages(include=[pattern for folder in FOLDERS for pattern in (folder, f"{folder}.*")])
setup(packages=["establish", *(f"establish.{name}" for name in found if name != "proofs_check.front_door")])
