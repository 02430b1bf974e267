"""The functions as users call them: those that the commands call, with errors that name arguments."""

from establish.proofs_check.api import audit as auditing
from establish.proofs_check.api import budget as budgeting
from establish.proofs_check.api import compare as comparing
from establish.proofs_check.api import convert as converting
from establish.proofs_check.api import imply as implying
from establish.proofs_check.api import limit as limiting
from establish.proofs_check.api import plan as planning
from establish.proofs_check.api import release
from establish.proofs_check.api import sample as sampling
from establish.proofs_check.api import show as showing
from establish.proofs_check.api import suppress as suppressing
from establish.proofs_check.api import suppress_plan as suppress_planning
from establish.proofs_check.api import verify as verifying
from establish.proofs_check.api.python import for_python

audit = for_python(auditing.audit)
budget = for_python(budgeting.budget)
compare = for_python(comparing.compare)
convert = for_python(converting.convert)
imply = for_python(implying.imply)
limit = for_python(limiting.limit)
release_counts = for_python(release.release_counts)
release_earnings = for_python(release.release_earnings)
release_plan = for_python(planning.release_plan)
sample = for_python(sampling.sample)
show = for_python(showing.show)
suppress_audit = for_python(suppressing.suppress_audit)
suppress_plan = for_python(suppress_planning.suppress_plan)
verify = for_python(verifying.verify)
