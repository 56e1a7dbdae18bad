/** Only a list that a loaded table holds is sent from its memory: others are made for one request, and cached. */
import { expect, it } from "vitest";
import { listAll, listRows, listTexts } from "../../../server/response/list.ts";
import { toResult } from "../../../server/response/paging.ts";
import { toJsonRows } from "../../../server/snapshot/loading/json-rows.ts";

const rows = toJsonRows(["1", "2", "3"]);

it("all rows of a table are its own memory, also as a page that holds all of them", async () => {
  for (const page of [undefined, { limit: 10, offset: 0 }]) {
    const { body } = await toResult(listAll(rows), page);
    expect((body as Buffer[]).map((chunk) => chunk === rows.bytes)).toEqual([true]);
  }
  expect(rows.bytes.toString()).toBe("[1,2,3]");
});

it("parts, selected rows and texts are not, however many pieces they have", async () => {
  const others = [
    toResult(listAll(rows), { limit: 2, offset: 0 }),
    toResult(listAll(rows), { limit: undefined, offset: 1 }),
    toResult(listRows(rows, Int32Array.of(0, 1, 2)), undefined),
    toResult(listTexts(["1", "2", "3"]), undefined),
  ];
  for (const { body } of await Promise.all(others))
    expect((body as Buffer[]).every((chunk) => chunk !== rows.bytes)).toBe(true);
});
