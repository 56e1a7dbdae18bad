/** Fields of any JSON text, whole or streamed (server/RULES.md, HTTP). */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Body } from "../../../../server/response/endpoint.ts";
import { jsonArray } from "../../../../server/response/representations/json.ts";
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

async function textOf(body: Body): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
const select = async (text: string, wanted: readonly string[]) =>
  textOf(await selectFields([Buffer.from(text)], wanted));

describe("the fields of a JSON text", () => {
  it("are those of the value", async () => {
    await fc.assert(
      fc.asyncProperty(root, names, fc.constantFrom(0, 1), async (whole, wanted, indent) => {
        const plain = plainFields(whole, wanted);
        expect(JSON.parse(await select(JSON.stringify(whole, null, indent), wanted))).toEqual(plain);
      }),
      { numRuns: 2000 },
    );
  });

  it("keep the spelling of numbers", async () => {
    const text = '[{"x":1,"a":4.0,"b":"1.0,\\"2.0"},{"a":-1e2,"x":[{"a":3}]},{"x":{}},{"a":[12345678901234567890]}]';
    expect(await select(text, ["a", "b"])).toBe(
      '[{"a":4.0,"b":"1.0,\\"2.0"},{"a":-1e2},{},{"a":[12345678901234567890]}]',
    );
  });

  it.each(["1.0", "10.50", "0.0000001", "1e3", "2E-7", "12345678901234567890", "-0", "-0.0", "0.1", "-12", "3.11625"])(
    "keep the spelling of %s",
    async (number) => expect(await select(`{"a":${number},"b":1}`, ["a"])).toBe(`{"a":${number}}`),
  );

  it("are found in the batches of a streamed array", async () => {
    const rows = Array.from({ length: 5000 }, (_, i) => ({ a: "é".repeat(i % 5), b: { c: i }, c: [i] }));
    for (const count of [0, 1, 5000]) {
      const some = rows.slice(0, count);
      async function* batches() {
        for (let i = 0; i < count; i += 1000) yield JSON.stringify(some.slice(i, i + 1000)).slice(1, -1);
      }
      const streamed = await jsonArray(5000, batches());
      expect(JSON.parse(await textOf(await selectFields(streamed, ["b.c", "c"])))).toEqual(
        some.map(({ b, c }) => ({ b, c })),
      );
    }
  });
});
