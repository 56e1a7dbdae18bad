/** Fields of any JSON text, in pieces of any size (server/RULES.md, HTTP). */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { selectFields } from "../../../../server/response/fields/select.ts";
import { plainFields } from "./plain-fields.ts";

const key = fc.constantFrom("a", "b", "c", "ab", "", 'q"', "\\", "é");
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(null, true, 0, -1.5e-7, "", 'x"]},{[:\\', "\\", "\n", "ü€𝄞"),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(key, tie("value"), { maxKeys: 4 }),
  ),
}));
const root = fc.oneof(fc.dictionary(key, value), fc.array(fc.dictionary(key, value)));
const names = fc
  .uniqueArray(fc.constantFrom("a", "b", "ab", "a.b", "a.c", "a.b.c", "b.a", "c.a.b"), { minLength: 1 })
  .map((all) => all.filter((name) => !all.some((other) => name.startsWith(`${other}.`))));

async function select(text: string, wanted: readonly string[], sizes: readonly number[]): Promise<string> {
  const bytes = Buffer.from(text);
  const pieces: Buffer[] = [];
  for (let at = 0, i = 0; at < bytes.length; at += pieces.at(-1)?.length ?? 1, i++)
    pieces.push(bytes.subarray(at, at + (sizes[i % sizes.length] ?? 1)));
  const body = await selectFields(pieces, wanted);
  const all: Buffer[] = [];
  for await (const piece of body) all.push(piece);
  return Buffer.concat(all).toString();
}

describe("the fields of a JSON text", () => {
  it("are those of the value", async () => {
    await fc.assert(
      fc.asyncProperty(
        root,
        names,
        fc.constantFrom(0, 1),
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 }),
        async (whole, wanted, indent, sizes) => {
          const plain = plainFields(whole, wanted);
          expect(JSON.parse(await select(JSON.stringify(whole, null, indent), wanted, sizes))).toEqual(plain);
        },
      ),
      { numRuns: 2000 },
    );
  });

  it("stay as they are written", async () => {
    const text = '[{"x":1,"a":4.0,"b":"\\u00e9"},{"a":1e2,"x":[{"a":3}]},{"x":{}}]';
    expect(await select(text, ["a", "b"], [7])).toBe('[{"a":4.0,"b":"\\u00e9"},{"a":1e2},{}]');
  });

  it("are found in texts of more than one piece", async () => {
    const rows = Array.from({ length: 5000 }, (_, i) => ({ a: "x".repeat(i % 50), b: { c: i }, c: [i] }));
    expect(JSON.parse(await select(JSON.stringify(rows), ["b.c", "c"], [1e9]))).toEqual(
      rows.map(({ b, c }) => ({ b, c })),
    );
  });
});
