"""Where the ontology stands, with its queries and checks."""

from pathlib import Path

from groundtrace.errors import InputError

ONTOLOGY = "groundtrace.ttl"


def ontology_directory() -> Path:
    """Return the folder of the ontology, in a wheel, an editable install or a checkout.

    Raises:
        InputError: the installation is broken.
    """
    package = Path(__file__).resolve().parents[1]
    for candidate in (package / "ontology", package.parents[1] / "ontology"):
        if (candidate / ONTOLOGY).is_file():
            return candidate
    raise InputError(f"the ontology is missing beside {package}; reinstall groundtrace")
