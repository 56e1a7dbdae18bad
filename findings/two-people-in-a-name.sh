#!/usr/bin/env bash
# A cell with two people, as offices write it, is one person for a parser of names, and the second person is a
#   suffix or a middle name.
#
# Version: nameparser 1.1.3.
# Behaviour: `VANE, IDA, MOSS, ALDO` is Ida Vane with the suffix `MOSS, ALDO`; with `&` or `/` between them the
#   first name is `IDA & MOSS`, or the
#   middle name `/ MOSS`; of `Ida Vane and Aldo Moss` the last name is Moss alone. Nothing tells that a name was not
#   understood: every result is a
#   HumanName with a first and a last name, and a join by last name and initial finds one of the two at most.
# Output seen:
#   VANE, IDA, MOSS, ALDO     first 'IDA' middle '' last 'VANE' suffix 'MOSS, ALDO'
#   VANE, IDA & MOSS, ALDO    first 'IDA & MOSS' middle '' last 'VANE' suffix 'ALDO'
#   VANE, IDA / MOSS, ALDO    first 'IDA' middle '/ MOSS' last 'VANE' suffix 'ALDO'
#   Ida Vane and Aldo Moss    first 'Ida' middle 'Vane and Aldo' last 'Moss' suffix ''
set -euo pipefail

work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv venv
venv/bin/pip install --quiet nameparser==1.1.3

cat > seen.py << 'PYTHON'
from nameparser import HumanName

for text in ("VANE, IDA, MOSS, ALDO", "VANE, IDA & MOSS, ALDO", "VANE, IDA / MOSS, ALDO", "Ida Vane and Aldo Moss"):
    name = HumanName(text)
    print(f"{text:25} first {name.first!r} middle {name.middle!r} last {name.last!r} suffix {name.suffix!r}")
PYTHON

venv/bin/python seen.py > seen.txt
cat seen.txt
diff - seen.txt << 'EXPECTED'
VANE, IDA, MOSS, ALDO     first 'IDA' middle '' last 'VANE' suffix 'MOSS, ALDO'
VANE, IDA & MOSS, ALDO    first 'IDA & MOSS' middle '' last 'VANE' suffix 'ALDO'
VANE, IDA / MOSS, ALDO    first 'IDA' middle '/ MOSS' last 'VANE' suffix 'ALDO'
Ida Vane and Aldo Moss    first 'Ida' middle 'Vane and Aldo' last 'Moss' suffix ''
EXPECTED
