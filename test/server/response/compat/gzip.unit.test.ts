/** A gzip body put together from finished parts is what gzip says of the whole (RFC 1952). */
import { gunzipSync } from "node:zlib";
import fc from "fast-check";
import { expect, it } from "vitest";
import { gzipAround, toMiddle } from "../../../../server/response/compat/gzip.ts";

const bytes = (most: number) => fc.uint8Array({ maxLength: most }).map((array) => Buffer.from(array));

it("any texts: the checksum and the length are the whole's", async () => {
  await fc.assert(
    fc.asyncProperty(
      bytes(300),
      bytes(5000),
      bytes(300),
      fc.integer({ min: 1, max: 200 }),
      async (before, part, after, times) => {
        const text = Buffer.concat(Array.from({ length: times }, () => part));
        const whole = Buffer.concat(gzipAround(before, await toMiddle(text), after));
        // It compares the checksum and the length too.
        expect(gunzipSync(whole).equals(Buffer.concat([before, text, after]))).toBe(true);
      },
    ),
    { numRuns: 200 },
  );
});

it("a middle fits into any surroundings, and says when it is damaged", async () => {
  const middle = await toMiddle(Buffer.from("x".repeat(100_000)));
  expect(middle.length).toBeLessThan(1000);
  for (const around of ["", "a", "b".repeat(65_535)]) {
    const whole = Buffer.concat(gzipAround(Buffer.from(around), middle, Buffer.from(around)));
    expect(gunzipSync(whole).toString()).toBe(`${around}${"x".repeat(100_000)}${around}`);
  }
  const damaged = Buffer.from(middle);
  damaged.writeUInt32LE((damaged.readUInt32LE(middle.length - 8) ^ 1) >>> 0, middle.length - 8);
  expect(() => gunzipSync(Buffer.concat(gzipAround(Buffer.from("a"), damaged, Buffer.from("b"))))).toThrow();
});
