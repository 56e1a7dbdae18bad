import { expect, test } from "vitest";
import { createTally } from "../../../pipeline/contract/documents/tally.ts";
import { createUnknownFields } from "../../../pipeline/contract/source-fields.ts";
import { UpstreamBadResponse } from "../../../pipeline/errors.ts";

/** The text of an upstream as a report and a log show it. */
function told(text: string): string[] {
  const [tally, unknown] = [createTally("grades"), createUnknownFields()];
  tally.drop("a reason", text);
  tally.note("a reason", text);
  tally.damage(text);
  unknown.add({ kind: "heading", place: text, name: text });
  const { damaged, dropped, noted } = tally.report("failed", 0, text);
  const named = [...dropped, ...noted].flatMap(({ names }) => names);
  return [
    ...damaged,
    ...named,
    ...unknown.list().flatMap(({ place, name }) => [place, name]),
    new UpstreamBadResponse("records", text).message,
  ];
}

test("a text of an upstream is cut between characters, wherever it is told; what a person reads is whole", () => {
  for (const text of ["x".repeat(500), "the heading Of late"]) expect(new Set(told(text))).toEqual(new Set([text]));
  expect(new Set(told(`${"x".repeat(499)}😀${"y".repeat(100_000)}`))).toEqual(new Set([`${"x".repeat(499)}…`]));
});
