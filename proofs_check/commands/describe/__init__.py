"""``establish describe``: what a record says, in the forms in which others ask for it."""

import json
from pathlib import Path
from typing import Annotated

import typer

from establish.proofs_check.api.asked import require_one_of, require_there
from establish.proofs_check.engine.misuse import Misuse

FORMS = ("methodology", "methodology-html", "registry", "checklist")
"""What ``--as`` accepts."""

HELP = """Describe a release for readers of its tables, for a public registry, or by the points of NIST.

\b
Examples:
  establish describe published/release.json --as methodology > methodology.md
  establish describe published/release.json --as methodology-html > methodology.html
  establish describe published/release.json --as registry > deployment.json
  establish describe noisy.csv.json --as checklist > nist.md

\b
methodology is one page for readers of the tables. registry is a JSON entry for a public registry of
deployments of differential privacy. checklist answers the points of NIST SP 800-226. All three are filled
from the record. The command recomputes what the record says about each mechanism and refuses a record that
disagrees; establish verify checks the rest. What only the publisher knows is marked TO FILL IN.
"""


def describe(
    record: Annotated[Path, typer.Argument(metavar="RECORD", help="The .json file of a release.")],
    form: Annotated[str, typer.Option("--as", metavar="FORM", help=f"One of {', '.join(FORMS)}.")] = FORMS[0],
) -> None:
    require_one_of("--as", form, FORMS)
    require_there("RECORD", record)

    from establish.impl.certificate import certificate_of
    from establish.proofs_check.certification.record import NoRecord, read_record
    from establish.proofs_check.certification.restated import differing
    from establish.proofs_check.commands.describe import checklist, methodology, registry
    from establish.proofs_check.commands.describe.said import said_of

    try:
        content = json.loads(record.read_text("utf-8"))
        read = read_record(content)
        said = said_of(read)
    except OSError as error:
        raise Misuse(f"RECORD = {record} cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError, NoRecord, KeyError, TypeError, AttributeError):
        raise Misuse(f"RECORD = {record} is not the record of a release") from None
    wrong = [
        f"{use.title}: {', '.join(parts)}"
        for use in read.uses
        if (parts := differing(use, read, lambda name: certificate_of(name).grants))
    ]
    if wrong:
        raise Misuse(
            f"RECORD = {record} disagrees with what follows from its parameters ({'; '.join(wrong)}): it "
            "was edited, or written by another version; see establish verify"
        )
    made = {
        "methodology": methodology.markdown,
        "methodology-html": methodology.html,
        "registry": registry.entry,
        "checklist": checklist.markdown,
    }
    print(made[form](said))
