"""For MkDocs: a page with the text and code of each notebook, from which the notebook can be downloaded."""

from __future__ import annotations

import json
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """MkDocs calls this; NAME.md is added for each NAME.ipynb."""
    for file in list(files):
        path = Path(file.abs_src_path or "")
        if path.suffix == ".ipynb":
            uri = file.src_uri.replace(".ipynb", ".md")
            files.append(File.generated(config, uri, content=page_of(path)))
    return files


def page_of(notebook: Path) -> str:
    """Markdown cells as they are, code cells as blocks of Python, and a link below the title."""
    parts = []
    for cell in json.loads(notebook.read_text("utf-8"))["cells"]:
        text = "".join(cell["source"])
        parts.append(text if cell["cell_type"] == "markdown" else f"```python\n{text}\n```")
    name = notebook.name
    parts.insert(1, f"[Download {name}]({name}) and open it in Jupyter to see its figures.")
    return "\n\n".join(parts) + "\n"
