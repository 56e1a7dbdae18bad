#!/usr/bin/env bash
# A workbook's formula that no program has calculated: the value that readers see depends on the writer, and one of
#   the two is a number.
#
# Versions: openpyxl 3.1.5, XlsxWriter 3.2.5, pandas 2.3.3, python-calamine 0.4.0, read-excel-file 9.3.17, xlsx
#   (SheetJS) 0.18.5.
# Behaviour: openpyxl saves a formula without a value, XlsxWriter with the value 0; both ask in the workbook to be
#   calculated when it is opened
#   (fullCalcOnLoad), and no reader looks at that. A column of =ROUND(3.456,2) and 3.5 has the mean 3.5 or 1.75.
#   Both files are valid, and a
#   spreadsheet program shows 3.46 in both. SheetJS has no cell at all for the first, so that sheet_to_json leaves
#   the property out.
# Output seen:
#   openpyxl.xlsx    pandas [nan, 3.5] mean 3.5    calamine ''
#   xlsxwriter.xlsx  pandas [0.0, 3.5] mean 1.75   calamine 0.0
#   openpyxl.xlsx    read-excel-file null   sheetjs absent
#   xlsxwriter.xlsx  read-excel-file 0      sheetjs 0
set -euo pipefail

work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv venv
venv/bin/pip install --quiet openpyxl==3.1.5 XlsxWriter==3.2.5 pandas==2.3.3 python-calamine==0.4.0
npm init -y > /dev/null
npm install --silent --no-audit --no-fund --ignore-scripts read-excel-file@9.3.17 xlsx@0.18.5

cat > seen.py << 'PYTHON'
import openpyxl, pandas, xlsxwriter
from python_calamine import CalamineWorkbook

rows = [("section", "average"), (44000, "=ROUND(3.456,2)"), (44001, 3.5)]
book = openpyxl.Workbook()
for row in rows:
    book.active.append(row)
book.save("openpyxl.xlsx")
with xlsxwriter.Workbook("xlsxwriter.xlsx") as book:
    sheet = book.add_worksheet()
    for number, row in enumerate(rows):
        sheet.write_row(number, 0, row)
for name in ("openpyxl.xlsx", "xlsxwriter.xlsx"):
    averages = pandas.read_excel(name)["average"]
    calamine = CalamineWorkbook.from_path(name).get_sheet_by_index(0).to_python()[1][1]
    print(f"{name:16} pandas {averages.tolist()} mean {averages.mean()} calamine {calamine!r}")
PYTHON
cat > seen.mjs << 'JAVASCRIPT'
import readWorkbook from "read-excel-file/node";
import XLSX from "xlsx";
for (const name of ["openpyxl.xlsx", "xlsxwriter.xlsx"]) {
  const [{ data }] = await readWorkbook(name);
  const book = XLSX.readFile(name);
  const [row] = XLSX.utils.sheet_to_json(book.Sheets[book.SheetNames[0]]);
  console.log(name.padEnd(16), "read-excel-file", data[1][1], "sheetjs", "average" in row ? row.average : "absent");
}
JAVASCRIPT

venv/bin/python seen.py > seen.txt
node seen.mjs >> seen.txt
cat seen.txt
diff - seen.txt << 'EXPECTED'
openpyxl.xlsx    pandas [nan, 3.5] mean 3.5 calamine ''
xlsxwriter.xlsx  pandas [0.0, 3.5] mean 1.75 calamine 0.0
openpyxl.xlsx    read-excel-file null sheetjs absent
xlsxwriter.xlsx  read-excel-file 0 sheetjs 0
EXPECTED
