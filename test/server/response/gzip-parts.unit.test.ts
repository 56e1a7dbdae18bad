import { gunzipSync } from "node:zlib";
import fc from "fast-check";
import { expect, it } from "vitest";
import { deflatePayload, gzipAround } from "../../../server/response/gzip-parts.ts";

const bytes = (maxLength: number) => fc.uint8Array({ maxLength }).map((array) => Buffer.from(array));
/** Text that compresses, and bytes that do not. */
const payload = fc.oneof(
  bytes(3000),
  fc.tuple(fc.string({ maxLength: 40 }), fc.nat(20_000)).map(([text, times]) => Buffer.from(text.repeat(times))),
);

it("any text, payload and text are one gzip member with the right checksum", async () => {
  await fc.assert(
    fc.asyncProperty(bytes(300), payload, bytes(300), async (prefix, middle, suffix) => {
      const joined = gzipAround([prefix, suffix], await deflatePayload(middle, { level: 5 }));
      expect(gunzipSync(joined).equals(Buffer.concat([prefix, middle, suffix]))).toBe(true);
    }),
  );
});

it("a payload serves any number of responses", async () => {
  const deflated = await deflatePayload(Buffer.from('[{"a":1}]'.repeat(1000)), { level: 5 });
  const first = gzipAround([Buffer.from("1"), Buffer.from("}")], deflated);
  const second = gzipAround([Buffer.from("22"), Buffer.from("}")], deflated);
  expect(gunzipSync(first).subarray(1)).toEqual(gunzipSync(second).subarray(2));
});
