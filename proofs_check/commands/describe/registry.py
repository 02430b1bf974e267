"""An entry for a public registry of deployments of differential privacy.

The proposal of Dwork, Kohli and Mulligan (2019), as the registry of OpenDP keeps it: three tiers, of which
each asks for more. The names of the fields are ours, one for each thing that a tier asks for.
"""

import json

from establish.proofs_check.commands.describe.said import TO_FILL_IN, Said


def entry(said: Said) -> str:
    """The entry as JSON, by tiers."""
    mechanisms = [
        {
            "query": use.query,
            "mechanism": use.mechanism,
            "noise": use.noise,
            "parameters": use.parameters,
            "calibration": use.calibration,
        }
        for use in said.uses
    ]
    content = {
        "tier_1": {
            "data_curator": TO_FILL_IN,
            "intended_use": TO_FILL_IN,
            "data_product": f"{said.title}: {', '.join(said.tables)}",
            "data_set": said.dataset,
            "publication_date": said.time,
        },
        "tier_2": {
            "flavor": said.definition,
            "privacy_unit": said.definition,
            "privacy_loss": dict(said.parameters),
            "deployment_model": "central: a trusted curator adds the noise; a static release",
        },
        "tier_3": {
            "data_domain": "public and listed" if said.domain_is_public else "taken from the data",
            "unprotected_quantities": "labels, the choice of rows and their order are taken as public"
            if not said.domain_is_public
            else "the lists of cells are public",
            "accounting": {
                "composition": "exact sums of rational losses; the ledger adds up all releases",
                "ledger": said.ledger,
                "post_processing": list(said.notes),
            },
            "mechanisms": mechanisms,
            "implementation": {
                "software": said.versions,
                "randomness": said.seed,
                "floating_point": "noise is drawn exactly and rounded to a public grid",
                "code_certified": said.certified,
                "claims": list(said.claims),
                "record_signed_by": said.signed_by,
            },
            "justification_of_parameters": TO_FILL_IN,
        },
    }
    return json.dumps(content, ensure_ascii=False, indent=2)
