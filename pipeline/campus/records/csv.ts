import type { Cell } from "./sheet-table.ts";

/** A file from a spreadsheet begins with a byte order mark and has CRLF line ends; a file from a script has neither. */
export function writeCsv(table: readonly (readonly Cell[])[], fromSpreadsheet: boolean): Buffer {
  const lines = table.map((row) => row.map(csvCell).join(","));
  return Buffer.from(fromSpreadsheet ? `\ufeff${lines.join("\r\n")}\r\n` : `${lines.join("\n")}\n`, "utf8");
}

function csvCell(cell: Cell): string {
  const text = String(cell ?? "");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
