"""One run from start to end: plan, execution, ledger, manifest, engines."""
