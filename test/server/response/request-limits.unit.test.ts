/** What a client can multiply has a bound (server/RULES.md, Limits). */
import { expect, it } from "vitest";
import { chooseEncoding } from "../../../server/response/encoding.ts";
import { texts } from "../../../server/response/params.ts";
import { readQuery } from "../../../server/response/query.ts";
import { REQUEST_LIMITS } from "../../../server/response/request-limits.ts";

it("values of one parameter", () => {
  const { most } = REQUEST_LIMITS.values;
  const read = (count: number) => {
    const values = Array.from({ length: count }, (_, n) => String(n)).join(",");
    return readQuery(new URLSearchParams({ names: values }), { names: texts("") });
  };
  expect(read(most).values.names?.length).toBe(most);
  expect(read(most + 1).problems).toEqual([`Parameter "names" takes at most ${most} values but was given ${most + 1}`]);
});

it("entries of Accept-Encoding", () => {
  const { most } = REQUEST_LIMITS.accepted;
  const after = (count: number) => [...Array.from({ length: count }, (_, n) => `x${n}`), "gzip"].join(", ");
  expect(chooseEncoding(after(most - 1))).toBe("gzip");
  expect(chooseEncoding(after(most))).toBe("identity");
});
