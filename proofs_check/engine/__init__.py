"""How claims are registered, run, judged, cached and compared with the ledger."""
