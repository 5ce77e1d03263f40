"""Whether outcomes mean anything: benchmarks in, direct judges, figures with intervals."""
