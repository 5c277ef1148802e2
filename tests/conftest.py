"""Where helpers of tests are found, and fixtures for every test that needs a database.

The sandbox's tests run in an environment without anything but pytest: it has no databases.
"""

import sys
from importlib.util import find_spec
from pathlib import Path

# Helper modules are shared between the folders of tests.
sys.path += [str(Path(__file__).parent / folder) for folder in ("unit", "integration", "sandbox")]

pytest_plugins = ["databases"] if find_spec("sqlalchemy") else []
