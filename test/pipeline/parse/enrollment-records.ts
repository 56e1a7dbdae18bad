/** Rows of enrollment files, one by one and with all values: the simple form of what the import does with parts. */
import type { ImportedSnapshot } from "../../../pipeline/contract/rows/enrollment-history.ts";
import {
  toDate,
  toDescription,
  toSection,
  toValues,
} from "../../../pipeline/normalize/enrollment/imported-snapshot.ts";
import { type Fields, parseEnrollmentFile } from "../../../pipeline/parse/enrollment-file.ts";

export interface EnrollmentRecord {
  readonly line: number;
  readonly fields: Fields;
  readonly problem?: string;
}

/** Reads a file that comes in pieces of so many bytes. */
export async function readRecords(
  name: string,
  content: string | Buffer,
  size = Infinity,
): Promise<EnrollmentRecord[]> {
  const bytes = Buffer.from(content);
  async function* pieces(): AsyncGenerator<Buffer> {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }
  const { batches, fieldsOf } = parseEnrollmentFile(name, pieces());
  const records: EnrollmentRecord[] = [];
  for await (const rows of batches)
    for (const { line, problem, ...parts } of rows)
      if (problem !== undefined) records.push({ line, fields: {}, problem });
      else {
        const names = Object.keys(parts) as (keyof typeof parts)[];
        records.push({
          line,
          fields: Object.assign({}, ...names.map((part) => fieldsOf(part, parts[part]))) as Fields,
        });
      }
  return records;
}

/** @throws BadSnapshot */
export const toImportedSnapshot = (fields: Fields, today: string): ImportedSnapshot => ({
  ...toSection(fields),
  date: toDate(fields, today),
  ...toValues(fields),
  ...toDescription(fields),
});
