/**
 * The fields that a parser declares to know of its source, and the unknown ones that it met: an upstream that renames a
 * field has an unknown field in its place.
 */
import { z } from "zod";
import { reportedText } from "./reported-text.ts";

/** A `text` is a value that cannot be read: its place is the field that holds it. */
const KINDS = ["element", "attribute", "heading", "field", "class", "label", "option", "text"] as const;

/** A field that a parser reads, or knows and ignores. */
export interface KnownField {
  readonly kind: (typeof KINDS)[number];
  /** Its location: the enclosing element, the sheet, the object. */
  readonly place: string;
  readonly name: string;
  /** The columns that are built from it, by their names in `columnMeasures`; empty if it is ignored. */
  readonly fills: readonly string[];
}

/** An unknown item at a known place. */
export const unknownField = z.object({
  kind: z.enum(KINDS),
  place: z.string(),
  /** For texts, the first one. */
  name: z.string(),
  /** The number of rows beside which it occurs. */
  count: z.int(),
});
export type UnknownField = z.infer<typeof unknownField>;

/** Counts unknown fields. */
export interface UnknownFields {
  add(field: Omit<UnknownField, "count">, count?: number): void;
  /** In the order in which they were met. */
  list(): UnknownField[];
}

export function createUnknownFields(): UnknownFields {
  const counts = new Map<string, UnknownField>();
  return {
    add(field, count = 1) {
      const { kind } = field;
      const [place, name] = [reportedText(field.place), reportedText(field.name)];
      const key = JSON.stringify(kind === "text" ? [kind, place] : [kind, place, name]);
      const counted = counts.get(key) ?? { kind, place, name, count: 0 };
      counts.set(key, { ...counted, count: counted.count + count });
    },
    list: () => [...counts.values()],
  };
}

/** The unknown fields of several pages together. */
export function sumUnknown(pages: Iterable<{ readonly unknown: readonly UnknownField[] }>): UnknownField[] {
  const sum = createUnknownFields();
  for (const { unknown } of pages) for (const field of unknown) sum.add(field, field.count);
  return sum.list();
}

/** For reports: ``the element `sec_kind` of `section` is new, in 95 rows``. */
export const unknownFieldText = ({ kind, place, name, count }: UnknownField): string =>
  kind === "text"
    ? `${count} texts of \`${place}\` cannot be read, such as ${JSON.stringify(name)}`
    : `the ${kind} \`${name}\` of \`${place}\` is new, in ${count} ${count === 1 ? "row" : "rows"}`;
