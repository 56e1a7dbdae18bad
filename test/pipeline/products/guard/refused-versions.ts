/** The guard's verdict on staged rows beside versions of which only counts are known. */
import { TABLES } from "../../../../pipeline/contract/tables.ts";
import { reasonsFor, type StagedRows } from "../../../../pipeline/products/guard/field-guard.ts";
import { FALL, openVersions, type Version } from "./counted-versions.ts";

export type World = Parameters<typeof openVersions>[0];
export const version = (name: string, rows: number, more: Partial<Version> = {}): Version => ({ name, rows, ...more });
/** A column in which this many rows have a value. */
export const comment = (filled: number) => ({ sectionComment: { filled } });

/** The guard's verdict on staged rows. */
export async function refused(world: World, staged: Partial<StagedRows> = {}) {
  const opened = openVersions(world);
  const asked = { what: "2026 Fall", table: TABLES.sections, published: FALL, from: "staged", ...staged };
  return { ...opened, reasons: await reasonsFor(opened.context, asked, opened.tally) };
}
export const texts = async (world: World, staged: Partial<StagedRows> = {}): Promise<string[]> =>
  (await refused(world, staged)).reasons.map(({ column, text }) => `${column}: ${text}`);
