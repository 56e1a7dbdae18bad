/**
 * Unknown fields that may be the cause of a loss. Upstreams have always sent fields that nobody reads: a field that
 * already existed for the published version causes nothing.
 */
import type { Tally } from "../../contract/documents/tally.ts";
import { type KnownField, type UnknownField, unknownFieldText } from "../../contract/source-fields.ts";
import { partitionTitle } from "../../store/layout.ts";
import type { RunContext } from "../context.ts";
import { comparableOf, type PublishedPart } from "./references.ts";

/** A field is new in the additional rows when it occurs in this many times as many rows as before. */
const SPREAD = 2;

/** The unknown fields that are new since the part was published, or stand beside at least twice as many rows. */
export function newFields(
  context: RunContext,
  part: PublishedPart,
  unknown: readonly UnknownField[],
): readonly UnknownField[] {
  const { remembered = {} } = context.freshness;
  const rememberedFields = remembered[partitionTitle(part)];
  if (rememberedFields)
    return unknown.filter(
      (field) => !rememberedFields.some((old) => isSame(old, field) && field.count < SPREAD * old.count),
    );
  // A new term differs in size from the term that it is compared with.
  const other = comparableOf(context, part);
  const others = (other && remembered[partitionTitle(other)]) ?? [];
  return unknown.filter((field) => !others.some((old) => isSame(old, field)));
}

/** The first of several unreadable texts differs from run to run, and a heading is the same in the next sheet. */
const isSame = (a: UnknownField, b: UnknownField): boolean =>
  a.kind === b.kind && (a.kind === "heading" || a.place === b.place) && (a.kind === "text" || a.name === b.name);

/** The fields beside those that fill a column, and texts of these that cannot be read. */
export function causesOf(
  fresh: readonly UnknownField[],
  parserFields: readonly KnownField[],
  column: string,
): UnknownField[] {
  const fields = parserFields.filter(({ fills }) => fills.includes(column));
  return fresh.filter(({ kind, place }) =>
    fields.some((field) => (kind === "text" ? field.name === place : field.place === place)),
  );
}

/** Names the new fields and counts the others. */
export function noteUnknown(
  context: RunContext,
  {
    part,
    what,
    unknown,
  }: { readonly part: PublishedPart; readonly what: string; readonly unknown: readonly UnknownField[] },
  tally: Tally,
): void {
  const fresh = newFields(context, part, unknown);
  for (const field of fresh) tally.note("a field that the parser does not know", `${what}: ${unknownFieldText(field)}`);
  const old = unknown.length - fresh.length;
  if (old > 0) tally.note("fields that nobody reads, as in the published version", `${what}: ${old}`);
}

/** Call it when a part is staged, or equals the published version. */
export function remember({ remembered }: RunContext, part: PublishedPart, unknown: readonly UnknownField[]): void {
  remembered.set(partitionTitle(part), unknown);
}
