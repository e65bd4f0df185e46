"""Dataclasses as CSV and JSON: read strictly, evaluated never, written so that they come back.

A file holds records of one frozen dataclass, whose fields are the columns of the CSV and the names
in the JSON. Fields without a default must be there; unknown ones, and values of another type, are
refused by name and place. Types that a field may have, and their text in a CSV:

| type | JSON | text in a CSV |
|---|---|---|
| `str`, or a `Literal` of texts | a text | as it is |
| `int`, `float` | a number | `12`, `12.9` |
| `bool` | `true`, `false` | `yes`, `no` |
| an `Enum` | the name of the member | none |
| a tuple of so many whole numbers | a list | `4/4/0/0` |
| any other tuple, such as `tuple[Unit, ...]` | a list | none |
| one of these, or None | the same, or `null` | the same, or nothing |
| one of several of these | the first that holds it | none |
| another dataclass of such fields | an object | `gunnery=2 care=lives`, without defaults |

What has no text in a CSV is for JSON alone: rulebooks whose ships carry other records have a CSV
of their own. A field that takes a dataclass also takes those that inherit from it and stand in the
same module; its object then tells which by `"class": "GreatShip"`, a name that no field can have.

Lines before the head of a CSV that begin with `#` are remarks.
"""

from navkit.errors import RecordError
from navkit.records.cells import from_text, to_text
from navkit.records.csv_files import from_csv, read_csv, to_csv, write_csv
from navkit.records.files import LARGEST_FILE, file_text
from navkit.records.json_files import from_json, parse_json, read_json, to_json, write_json
from navkit.records.plain import CLASS, from_plain, to_plain, value_from_plain

__all__ = [
    "CLASS",
    "LARGEST_FILE",
    "RecordError",
    "file_text",
    "from_csv",
    "from_json",
    "from_plain",
    "from_text",
    "parse_json",
    "read_csv",
    "read_json",
    "to_csv",
    "to_json",
    "to_plain",
    "to_text",
    "value_from_plain",
    "write_csv",
    "write_json",
]
