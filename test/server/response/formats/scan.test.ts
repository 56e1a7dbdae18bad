/** Rows out of a JSON text in pieces: what a parser of the whole text finds, wherever the text is cut. */
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Row, scanRows } from "../../../../server/response/formats/scan.ts";

async function scan(pieces: Iterable<Buffer>, steps: readonly string[], keepAbove: boolean) {
  const found: { own: Row; above: readonly Row[] }[] = [];
  for await (const batch of scanRows(pieces, steps, keepAbove))
    for (const { text, above } of batch) found.push({ own: JSON.parse(text.toString()) as Row, above });
  return found;
}

function* cutAt(text: string, sizes: readonly number[]): Generator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0, i = 0; at < bytes.length; i++) {
    const size = sizes[i % sizes.length] ?? 1;
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

const nasty = fc.constantFrom(
  '"',
  "\\",
  '\\"',
  "[{",
  "}]",
  '"sections":[',
  '{"sections":[{}]}',
  "é😀",
  "a,b",
  "\n",
  "",
);
const text = fc.oneof(nasty, fc.string({ unit: "grapheme" }));
const key = fc.oneof(fc.constantFrom("sections", "courses", "inner", "a"), text);
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    text,
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie("any"), { maxLength: 3 }),
    fc.dictionary(key, tie("any"), { maxKeys: 3 }),
  ),
})).any;
/** Fields that are none of the steps. */
const fields = fc.dictionary(
  key.filter((name) => name !== "courses" && name !== "sections"),
  value,
  { maxKeys: 4 },
);
const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 });
const runs = { numRuns: 400 };

describe("rows", () => {
  it("are the objects of the list", () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.dictionary(key, value, { maxKeys: 4 }), { maxLength: 6 }),
        sizes,
        async (rows, cuts) => {
          const found = await scan(cutAt(JSON.stringify(rows), cuts), [], false);
          expect(found.map(({ own }) => own)).toEqual(JSON.parse(JSON.stringify(rows)));
        },
      ),
      runs,
    ));

  it("are the objects of lists inside lists, each with what stands above it", () => {
    const course = fc.record({ head: fields, sections: fc.array(fields, { maxLength: 3 }) });
    const school = fc.record({ head: fields, courses: fc.array(course, { maxLength: 3 }) });
    const tree = fc.array(school, { maxLength: 3 });
    return fc.assert(
      fc.asyncProperty(tree, sizes, async (schools, cuts) => {
        const body = schools.map(({ head, courses }) => ({
          ...head,
          courses: courses.map((one) => ({ ...one.head, sections: one.sections })),
        }));
        const expected = schools.flatMap(({ head, courses }) =>
          courses.flatMap((one) => one.sections.map((own) => ({ own, above: [head, one.head] }))),
        );
        const found = await scan(cutAt(JSON.stringify(body), cuts), ["courses", "sections"], true);
        expect(found).toEqual(JSON.parse(JSON.stringify(expected)));
      }),
      runs,
    );
  });

  it("are one object, or the one in a field after long lists, of which nothing is kept", () =>
    fc.assert(
      fc.asyncProperty(fc.array(value, { maxLength: 6 }), fields, sizes, async (list, row, cuts) => {
        const expected = [{ own: JSON.parse(JSON.stringify(row)) as Row, above: [] }];
        expect(await scan(cutAt(JSON.stringify(row), cuts), [], false)).toEqual(expected);
        const wrapped = JSON.stringify({ sectionList: list, courses: row });
        expect(await scan(cutAt(wrapped, cuts), ["courses"], false)).toEqual(expected);
      }),
      runs,
    ));

  it("come while the text is being made", async () => {
    let made = 0;
    async function* endless(): AsyncGenerator<Buffer> {
      yield Buffer.from("[");
      for (;;) yield Buffer.from(`${made++ === 0 ? "" : ","}{"n":1}`);
    }
    for await (const batch of scanRows(endless(), [], false)) {
      expect(batch).toHaveLength(1);
      if (made === 50) break;
    }
    expect(made).toBe(50);
  });
});
