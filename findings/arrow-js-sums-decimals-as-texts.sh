#!/usr/bin/env bash
# Versions: apache-arrow 21.2.0 for JavaScript, parquet-wasm 0.8.0, pyarrow 25.0.1 (writes the file), Node 20.
# Behaviour: a value of a Parquet column of decimal(4, 2), read through parquet-wasm into an Arrow table, is an object of the unscaled digits: it
#   prints 378 for 3.78, and the scale has to be taken from the type. The operator + on a number and such a value joins texts: three averages of
#   about 3.5 "add up" to 0378351350, and a mean made of this sum is 126,117,116.67.
# Seen: "one value: 378", "sum: 0378351350", "scale of the type: 2".
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check pyarrow==25.0.1
"$folder/venv/bin/python" - "$folder/grades.parquet" <<'PY'
import sys
from decimal import Decimal
import pyarrow as pa
import pyarrow.parquet as pq

averages = pa.array([Decimal("3.78"), Decimal("3.51"), Decimal("3.50")], pa.decimal128(4, 2))
pq.write_table(pa.table({"average": averages}), sys.argv[1])
PY
cd "$folder"
printf '{"private":true,"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts apache-arrow@21.2.0 parquet-wasm@0.8.0
cat > sum.js <<'JS'
import { readFile } from "node:fs/promises";
import { tableFromIPC } from "apache-arrow";
import { readParquet } from "parquet-wasm";

const table = tableFromIPC(readParquet(await readFile("grades.parquet")).intoIPCStream());
const averages = [...table.getChild("average")];
const sum = averages.reduce((total, average) => total + average, 0);
const { scale } = table.schema.fields[0].type;
const one = String(averages[0]).replaceAll('"', "");
console.log(`one value: ${one}`);
console.log(`sum: ${String(sum).replaceAll('"', "")}`);
console.log(`scale of the type: ${scale}`);
process.exit(one === "378" && String(sum).replaceAll('"', "") === "0378351350" && scale === 2 ? 0 : 1);
JS
node sum.js
