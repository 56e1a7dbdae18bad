/** `ids`: several elements at once. */
import { describe, expect, it } from "vitest";
import { constant, toText } from "../../../server/duckdb/sql.ts";
import { idsFilter, orderOfIds, unknownIds } from "../../../server/endpoints/collection.ts";
import { ParamProblem } from "../../../server/response/params.ts";
import { REQUEST_LIMITS } from "../../../server/response/request-limits.ts";

const keyOf = (id: string): string => id.toLowerCase();
const declared = () => idsFilter("ids of things", ["A1"], keyOf);
const most = REQUEST_LIMITS.ids.most;
const many = (count: number) => Array.from({ length: count }, (_, i) => `id${i}`);

describe("ids", () => {
  it("are documented with their bound and their order", () => {
    const { param } = declared();
    expect(param.about).toContain(`ids of things; at most ${most}`);
    expect(param).toMatchObject({ multi: true, ordered: true, schema: { examples: ["A1"] } });
  });
  it("that are the same are one, as it was written first", () =>
    expect(declared().param.read(["B", "a", "b", "A", "c"])).toEqual(["B", "a", "c"]));
  it("are bounded, where the same one counts once", () => {
    const { param } = declared();
    expect(param.read(many(most))).toHaveLength(most);
    expect(param.read([...many(most), ...many(most).map((id) => id.toUpperCase())])).toHaveLength(most);
    expect(() => param.read(many(most + 1))).toThrow(
      expect.objectContaining({ message: `at most ${most} ids`, item: `${most + 1} ids` }),
    );
    expect(() => param.read(many(most + 1))).toThrow(ParamProblem);
  });
  it("are compared, ordered and named", () => {
    const { where, words } = declared();
    const idKey = constant("idKey");
    expect(where?.(["B", "a"], { idKey }, {})).toMatchObject({ values: [["b", "a"]] });
    const order = orderOfIds(["B", "a"], idKey, keyOf);
    expect(order.values).toEqual([["b", "a"]]);
    expect(toText(order)).toBe("list_position($1, idKey)");
    expect([many(1), many(3), many(4)].map((ids) => words(ids, {}))).toEqual([
      ...["with id id0", "with id id0, id1 or id2", "with one of 4 ids"],
    ]);
  });
});

describe("unknown ids", () => {
  it("are named", () => {
    expect(unknownIds("course", [])).toEqual([]);
    expect(unknownIds("course", ["A1"])).toEqual(["unknown course ignored: A1"]);
    expect(unknownIds("course", ["A1", "ü"])).toEqual(["unknown course ignored: A1, %C3%BC"]);
  });
  it("are named as far as a header goes, and the others are counted", () => {
    // With the comma and the blank after it 40 characters: a hundred are exactly what fits.
    const ids = Array.from({ length: 103 }, (_, i) => `x${String(i).padStart(37, "0")}`);
    expect(unknownIds("course", ids.slice(0, 100))).toEqual([
      `unknown course ignored: ${ids.slice(0, 100).join(", ")}`,
    ]);
    expect(unknownIds("course", ids)).toEqual([`unknown course ignored: ${ids.slice(0, 100).join(", ")} and 3 more`]);
  });
});
