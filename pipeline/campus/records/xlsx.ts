/**
 * Writes a table as a workbook with a single sheet. The XML is written here because text must be stored both ways (in
 * the shared table, as spreadsheets do, and inline, as report generators do), with empty cells, and equal tables must
 * yield equal bytes.
 */
import { strToU8, zipSync } from "fflate";
import { xmlText } from "../schedule/xml-text.ts";
import type { Cell } from "./sheet-table.ts";

const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE = "http://schemas.openxmlformats.org/package/2006";
const PROLOG = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
/** A fixed date for every file in the archive, so that equal tables are equal bytes. */
const PACKED = new Date(2020, 0, 1);

export function writeXlsx(table: readonly (readonly Cell[])[], text: "shared" | "inline"): Uint8Array {
  const shared = new Map<string, number>();
  const rows = table.map(
    (row, r) =>
      `<row r="${r + 1}">${row.map((cell, c) => cellXml(cell, `${columnName(c)}${r + 1}`, text, shared)).join("")}</row>`,
  );
  const sheet = `<worksheet xmlns="${MAIN}"><sheetData>${rows.join("")}</sheetData></worksheet>`;
  const strings = `<sst xmlns="${MAIN}" count="${shared.size}" uniqueCount="${shared.size}">${[...shared.keys()].map((value) => `<si>${textXml(value)}</si>`).join("")}</sst>`;
  const parts = { ...FURNITURE, "xl/sharedStrings.xml": strings, "xl/worksheets/sheet1.xml": sheet };
  const entries = Object.entries(parts).map(([name, xml]) => [name, strToU8(PROLOG + xml)] as const);
  return zipSync(Object.fromEntries(entries), { level: 6, mtime: PACKED });
}

function cellXml(cell: Cell, reference: string, home: "shared" | "inline", shared: Map<string, number>): string {
  if (cell === "") return "";
  if (cell === null) return `<c r="${reference}"/>`;
  if (typeof cell === "number") return `<c r="${reference}"><v>${cell}</v></c>`;
  if (home === "inline") return `<c r="${reference}" t="inlineStr"><is>${textXml(cell)}</is></c>`;
  const index = shared.get(cell) ?? shared.size;
  shared.set(cell, index);
  return `<c r="${reference}" t="s"><v>${index}</v></c>`;
}

const textXml = (text: string): string => `<t xml:space="preserve">${xmlText(text)}</t>`;

/** A sheet has at most 26 columns. */
const columnName = (index: number): string => String.fromCharCode(65 + index);

const override = (part: string, kind: string): string =>
  `<Override PartName="/xl/${part}" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.${kind}+xml"/>`;
const relation = (id: string, kind: string, target: string): string =>
  `<Relationship Id="${id}" Type="${RELATIONS}/${kind}" Target="${target}"/>`;

const FURNITURE: Readonly<Record<string, string>> = {
  "[Content_Types].xml": `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${override("workbook.xml", "sheet.main")}${override("worksheets/sheet1.xml", "worksheet")}${override("styles.xml", "styles")}${override("sharedStrings.xml", "sharedStrings")}</Types>`,
  "_rels/.rels": `<Relationships xmlns="${PACKAGE}/relationships">${relation("rId1", "officeDocument", "xl/workbook.xml")}</Relationships>`,
  "xl/workbook.xml": `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets><sheet name="Grades" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  "xl/_rels/workbook.xml.rels": `<Relationships xmlns="${PACKAGE}/relationships">${relation("rId1", "worksheet", "worksheets/sheet1.xml")}${relation("rId2", "styles", "styles.xml")}${relation("rId3", "sharedStrings", "sharedStrings.xml")}</Relationships>`,
  "xl/styles.xml": `<styleSheet xmlns="${MAIN}"><fonts count="1"><font><sz val="11"/></font></fonts><fills count="1"><fill><patternFill patternType="none"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="1"><xf xfId="0"/></cellXfs></styleSheet>`,
};
