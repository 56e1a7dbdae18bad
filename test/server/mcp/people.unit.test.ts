/** Names are taken where netids are (server/RULES.md, Assistants). */
import { expect, it } from "vitest";
import type { Result } from "../../../server/mcp/answer.ts";
import { findPeople } from "../../../server/mcp/people.ts";
import type { ToolRecord } from "../../../server/mcp/tools.ts";

const PEOPLE = [
  { netid: "jsmith", name: "Jane Smith", shortenedName: "SMITH, J." },
  { netid: "josmith", name: "John Smith", shortenedName: "SMITH, J." },
  { netid: "wu", name: "Ada Wu", shortenedName: "WU, A." },
];
/** As the endpoint answers. */
const list = async (query: Readonly<Record<string, string>>): Promise<Result> => {
  const data = PEOPLE.filter(
    ({ netid, name, shortenedName }) =>
      netid === query["ids"] ||
      shortenedName === query["shortenedName"] ||
      (query["nameContains"] !== undefined && name.toLowerCase().includes(query["nameContains"].toLowerCase())),
  );
  return { snapshot: "s", warnings: [], total: data.length, data };
};
const record = { name: "x", people: ["id", "netids"] } as unknown as ToolRecord;
const find = (given: object) => findPeople({ record }, { ...given }, list);

it.each([
  ["wu", "wu", 0],
  ["WU, A.", "wu", 1],
  ["Ada Wu", "wu", 1],
  ["Wu, Ada", "wu", 1],
  ["Jane Smith", "jsmith", 1],
  ["nobody", "nobody", 0],
  ["NOBODY, N.", "NOBODY, N.", 0],
])("%s is %s", async (text, netid, notes) => {
  const found = await find({ id: text });
  expect(found).toMatchObject({ args: { id: [netid] } });
  expect("notes" in found && found.notes.length).toBe(notes);
});

it.each(["SMITH, J.", "smith"])("%s may be either of two, who are named", async (text) => {
  const { candidates } = (await find({ id: text })) as { candidates: Result };
  expect(candidates).toMatchObject({ total: 2, data: PEOPLE.slice(0, 2) });
  expect(candidates.narrow).toContain(`${text} may be any of these 2 people. Give a netid.`);
});

it("several names are looked for one by one; what is no text stays as it is", async () => {
  expect(await find({ netids: ["wu", "Jane Smith", "zz"], other: 1 })).toMatchObject({
    args: { netids: ["wu", "jsmith", "zz"], other: 1 },
  });
  const many = Array.from({ length: 21 }, () => "Ada Wu");
  for (const given of [{}, { id: "" }, { id: { a: 1 } }, { netids: many }, { id: "x".repeat(2000) }])
    expect(await find(given)).toEqual({ args: given, notes: [] });
});
