import { expect, it } from "vitest";
import { requestedRange, readRange } from "../../../server/response/byte-range.ts";

it.each([
  ["bytes=0-0", { first: 0, last: 0 }],
  ["bytes=2-5", { first: 2, last: 5 }],
  ["bytes=4-", { first: 4, last: 9 }],
  ["bytes=0-", { first: 0, last: 9 }],
  ["bytes=5-99", { first: 5, last: 9 }],
  ["bytes=-3", { first: 7, last: 9 }],
  ["bytes=-99", { first: 0, last: 9 }],
  ["Bytes=1-2", { first: 1, last: 2 }],
  ["bytes=9-9", { first: 9, last: 9 }],
  ["bytes=10-", "unsatisfiable"],
  ["bytes=10-20", "unsatisfiable"],
  ["bytes=-0", "unsatisfiable"],
  [null, "whole"],
  ["", "whole"],
  ["bytes=", "whole"],
  ["bytes=-", "whole"],
  ["bytes=5-2", "whole"],
  ["bytes=a-b", "whole"],
  ["bytes=0-1,4-5", "whole"],
  ["bytes 0-1", "whole"],
  ["rows=0-1", "whole"],
  ["bytes=0x1-2", "whole"],
  ["bytes=-1-2", "whole"],
])("of ten bytes %j is %j", (header, range) => {
  expect(readRange(header, 10)).toEqual(range);
});

it.each([
  [{}, 206],
  [{ "if-range": '"it"' }, 206],
  [{ "if-range": '"another"' }, 200],
] as const)("a range with %j is a %i", (more, status) => {
  const asked = requestedRange(new Headers({ range: "bytes=2-5", ...more }), '"it"', 10);
  const length = status === 206 ? "4" : "10";
  expect(asked).toMatchObject({ status, headers: { "Accept-Ranges": "bytes", "Content-Length": length } });
});
