"""Settings of the user, declared once for functions, the command, TOML and JSON.

```
settings.py      what is claimed, and how it is tested and counted; seed_of: a number or a generator -> a seed
arguments.py     what the public functions take besides the settings
config_file.py   reportkit.toml and pyproject.toml, as they are written
```

Nothing heavy is imported here: the help of the command needs all of it.
"""

from reportkit.settings.config_file import read_config, settings_in
from reportkit.settings.settings import (
    SETTING_NAMES,
    Alternative,
    ClaimAlternative,
    Dependence,
    Gatekeeping,
    PrintedReading,
    Profile,
    Settings,
    check_alternative,
)

__all__ = [
    "SETTING_NAMES",
    "Alternative",
    "ClaimAlternative",
    "Dependence",
    "Gatekeeping",
    "PrintedReading",
    "Profile",
    "Settings",
    "check_alternative",
    "read_config",
    "settings_in",
]
