/** What a parser declares to know of its source, and what it met besides: an upstream that renames a field has an unknown one in its place. */
import { z } from "zod";
/** A `text` is one that cannot be read: its place is the field that holds it. */
const KINDS = ["element", "attribute", "heading", "field", "class", "label", "option", "text"];
/** Something at a known place that the parser does not know. */
export const unknownField = z.object({
    kind: z.enum(KINDS),
    place: z.string(),
    /** Of a text the first one. */
    name: z.string(),
    /** The number of rows that it stands beside. */
    count: z.int(),
});
export function createUnknownFields() {
    const counts = new Map();
    return {
        add(field, count = 1) {
            const { kind, place, name } = field;
            const key = JSON.stringify(kind === "text" ? [kind, place] : [kind, place, name]);
            const known = counts.get(key) ?? { ...field, count: 0 };
            counts.set(key, { ...known, count: known.count + count });
        },
        list: () => [...counts.values()],
    };
}
/** The unknown fields of several pages together. */
export function sumUnknown(pages) {
    const sum = createUnknownFields();
    for (const { unknown } of pages)
        for (const field of unknown)
            sum.add(field, field.count);
    return sum.list();
}
/** For reports: ``the element `sec_kind` of `section` is new, in 95 rows``. */
export const unknownFieldText = ({ kind, place, name, count }) => kind === "text"
    ? `${count} texts of \`${place}\` cannot be read, such as ${JSON.stringify(name)}`
    : `the ${kind} \`${name}\` of \`${place}\` is new, in ${count} ${count === 1 ? "row" : "rows"}`;
