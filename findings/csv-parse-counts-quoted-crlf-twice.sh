#!/usr/bin/env bash
# A line end inside a quoted value, in a CSV file with the line ends of spreadsheet programs: csv-parse counts it as two
#   lines.
#
# Version: csv-parse 7.0.3; beside it Python's csv module.
# Behaviour: `info.lines` is the number of a record's last line. A CR LF between records adds one to it, a CR LF inside
#   quotes adds two, and an LF inside quotes one. From the first such value on, every number is too high by the values
#   that came before, so that a message about a bad row names a line further down. `line_num` of Python's reader
#   counts the lines of the file. Setting `record_delimiter` changes nothing.
# Output seen (a comment of two lines in line 2 and 3, the next record in line 4):
#   CR LF   csv-parse 1 4 5   Python 1 3 4
#   LF      csv-parse 1 3 4   Python 1 3 4
set -euo pipefail

work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
cd "$work"
npm init -y > /dev/null
npm install --silent --no-audit --no-fund --ignore-scripts csv-parse@7.0.3

printf 'section,comment\r\n44000,"Bring a laptop.\r\nNo final."\r\n44001,none\r\n' > crlf.csv
tr -d '\r' < crlf.csv > lf.csv

cat > lines.mjs << 'JS'
import { readFileSync } from "node:fs";
import { parse } from "csv-parse/sync";
for (const record_delimiter of [undefined, "\r\n", ["\r\n", "\n"]]) {
  if (record_delimiter === "\r\n" && process.argv[2] === "lf.csv") continue;
  const options = { info: true, ...(record_delimiter ? { record_delimiter } : {}) };
  console.log(...parse(readFileSync(process.argv[2]), options).map(({ info }) => info.lines));
}
JS
cat > lines.py << 'PYTHON'
import csv, sys
with open(sys.argv[1], newline="") as file:
    reader = csv.reader(file)
    print(*(reader.line_num for _ in reader))
PYTHON

seen="$(for file in crlf lf; do
  echo "$file csv-parse $(node lines.mjs "$file.csv" | sort -u) Python $(python3 lines.py "$file.csv")"
done)"
echo "$seen"
expected="crlf csv-parse 1 4 5 Python 1 3 4
lf csv-parse 1 3 4 Python 1 3 4"
[ "$seen" = "$expected" ] || { echo "the behaviour has changed" >&2; exit 1; }
