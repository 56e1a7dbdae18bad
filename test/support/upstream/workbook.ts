/** Small workbooks for tests, and the zip archives around them, with the freedom to get things wrong. */
import { crc32, deflateRawSync } from "node:zlib";

export interface ZipPart {
  name: string;
  content: string | Buffer;
  /** The size that the directory declares. */
  unpacked?: number;
  crc?: number;
  flags?: number;
}

/** A zip archive: deflated parts, a directory, its end. */
export function toZip(parts: readonly ZipPart[]): Buffer {
  const bodies: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content, unpacked, crc, flags = 0 } of parts) {
    const raw = Buffer.from(content as string);
    const packed = deflateRawSync(raw);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(flags, 2);
    fields.writeUInt16LE(8, 4);
    fields.writeUInt32LE(crc ?? crc32(raw), 10);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(unpacked ?? raw.length, 18);
    fields.writeUInt16LE(Buffer.byteLength(name), 22);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    bodies.push(Buffer.from("PK\x03\x04"), fields, Buffer.from(name), packed);
    directory.push(Buffer.from("PK\x01\x02\x14\x00"), fields, place, Buffer.from(name));
    offset += 30 + Buffer.byteLength(name) + packed.length;
  }
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", "latin1");
  end.writeUInt16LE(parts.length, 8);
  end.writeUInt16LE(parts.length, 10);
  end.writeUInt32LE(
    directory.reduce((sum, { length }) => sum + length, 0),
    12,
  );
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...bodies, ...directory, end]);
}

export type TestCell = string | number | boolean | null;

/** Text lies in the shared table, in the cell itself, or is a formula's result; null is a cell that is not there. */
export type TextPlace = "shared" | "inline" | "formula";

export interface TestSheet {
  name: string;
  rows?: readonly (readonly TestCell[])[];
  /** The worksheet's XML, in place of rows. */
  xml?: string;
}

const escape = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
const column = (i: number): string =>
  (i < 26 ? "" : column(Math.floor(i / 26) - 1)) + String.fromCharCode(65 + (i % 26));
const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/** The parts of a workbook, for tests that change one before zipping. */
export function toWorkbookParts(sheets: readonly TestSheet[], text: TextPlace = "shared"): ZipPart[] {
  const strings: string[] = [];
  const cell = (value: TestCell, at: string): string => {
    if (value === null) return "";
    if (typeof value === "number") return `<c r="${at}"><v>${value}</v></c>`;
    if (typeof value === "boolean") return `<c r="${at}" t="b"><v>${value ? 1 : 0}</v></c>`;
    if (text === "inline") return `<c r="${at}" t="inlineStr"><is><t>${escape(value)}</t></is></c>`;
    if (text === "formula") return `<c r="${at}" t="str"><f>A1</f><v>${escape(value)}</v></c>`;
    return `<c r="${at}" t="s"><v>${strings.push(value) - 1}</v></c>`;
  };
  const worksheets = sheets.map(({ rows = [], xml }, i) => {
    const lines = rows.map(
      (row, r) => `<row r="${r + 1}">${row.map((value, c) => cell(value, `${column(c)}${r + 1}`)).join("")}</row>`,
    );
    return {
      name: `xl/worksheets/sheet${i + 1}.xml`,
      content: xml ?? `<worksheet xmlns="${MAIN}"><sheetData>${lines.join("")}</sheetData></worksheet>`,
    };
  });
  const listed = sheets.map(({ name }, i) => `<sheet name="${escape(name)}" sheetId="${i + 1}" r:id="rId${i + 1}"/>`);
  const related = sheets.map(
    (_, i) => `<Relationship Id="rId${i + 1}" Type="${OFFICE}/worksheet" Target="worksheets/sheet${i + 1}.xml"/>`,
  );
  return [
    {
      name: "xl/workbook.xml",
      content: `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${listed.join("")}</sheets></workbook>`,
    },
    {
      name: "xl/_rels/workbook.xml.rels",
      content: `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${related.join("")}</Relationships>`,
    },
    {
      name: "xl/sharedStrings.xml",
      content: `<sst xmlns="${MAIN}">${strings.map((string) => `<si><t>${escape(string)}</t></si>`).join("")}</sst>`,
    },
    ...worksheets,
  ];
}

export function toWorkbook(sheets: readonly TestSheet[], text: TextPlace = "shared"): Buffer {
  return toZip(toWorkbookParts(sheets, text));
}
