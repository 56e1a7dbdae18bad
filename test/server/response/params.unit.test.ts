/** Each kind of query parameter: what it reads, what it says of itself, and what it refuses. */
import { clockParam, courseNumbersParam } from "../../../server/endpoints/schedule/schedule-params.ts";
import { describe, expect, it } from "vitest";
import {
  flag,
  formed,
  formOf,
  listOf,
  numberOf,
  oneOf,
  type Param,
  ParamProblem,
  required,
  text,
  texts,
} from "../../../server/response/params.ts";

const trimmed = (value: string): string => value.trim();
const digit = (item: string): number | undefined => (/^\d$/.test(item) ? Number(item) : undefined);

const KINDS: Readonly<Record<string, () => Param<unknown>>> = {
  text: () => text("a text", { examples: ["x"] }),
  texts: () => texts("texts", { examples: ["x"] }),
  formed: () => formed("a digit", /^\d$/, "one digit", { examples: ["1"] }),
  listOf: () => listOf("digits", digit, "digits", { examples: ["1"] }),
  formOf: () => formOf("a digit", digit, "one digit", { examples: ["1"] }),
  numberOf: () => numberOf("a digit", /^\d$/, "one digit", ["1"]),
  oneOf: () => oneOf("a color", ["x", "green"]),
  flag: () => flag("whether"),
};

describe.each(Object.entries(KINDS))("%s", (kind, declare) => {
  it("says what it is about, of which type it is, and whether it takes several values", () => {
    const { about, schema, multi } = declare();
    expect(about).toMatch(/^(?:an? \w+|texts|digits|whether)$/);
    expect(schema.type).toBe(kind === "flag" ? "boolean" : "string");
    expect(schema.examples).toHaveLength(1);
    expect(multi).toBe(kind === "texts" || kind === "listOf");
    expect(declare().withCommas ?? false).toBe(false);
  });
  it("is absent where nothing is given, and required where that is declared", () => {
    expect(declare().read([])).toBeUndefined();
    expect(declare().required).toBeUndefined();
    expect(required(declare())).toMatchObject({ required: true, about: declare().about });
  });
});

const refusal = (param: Param<unknown>, ...items: string[]) => {
  try {
    return { read: param.read(items) };
  } catch (error) {
    if (!(error instanceof ParamProblem)) throw error;
    return { allowed: error.message, item: error.item, meant: error.meant };
  }
};

describe("texts", () => {
  it("are read in their normal form, and blank ones and those for everything are absent", () => {
    const name = text("name", { normalize: trimmed, noFilter: ["ALL"], withCommas: true });
    expect([" a, b ", " ", " ALL", "all"].map((value) => name.read([value]))).toEqual([
      ...["a, b", undefined, undefined, "all"],
    ]);
    expect(name.withCommas).toBe(true);
    expect(text("name").read(["ALL "])).toBe("ALL ");
  });
  it("several are a set without empty ones, and one for everything is enough", () => {
    const names = texts("names", { normalize: trimmed, noFilter: ["ALL"] });
    expect(names.read(["b", " a", "a ", " "])).toEqual(["b", "a"]);
    expect(names.read(["b", " ALL"])).toBeUndefined();
    expect(names.read([" "])).toBeUndefined();
  });
});

describe("forms", () => {
  it("refuse what does not match, and suggest what was meant", () => {
    const code = formed("code", /^\d{2}$/, "two digits", { suggest: (wrong) => (wrong === "1" ? "01" : undefined) });
    expect(code.schema.pattern).toBe(String.raw`^\d{2}$`);
    expect(code.read(["12"])).toBe("12");
    expect(refusal(code, "1")).toEqual({ allowed: "two digits", item: "1", meant: "01" });
    expect(refusal(code, "123")).toEqual({ allowed: "two digits", item: "123", meant: undefined });
    expect(refusal(formed("code", /^\d$/, "a digit"), "x")).toMatchObject({ item: "x", meant: undefined });
  });
  it("lists name the first wrong item", () => {
    const list = listOf("digits", digit, "digits", { suggest: (wrong) => `${wrong}?` });
    expect(list.read(["0", "7"])).toEqual([0, 7]);
    expect(refusal(list, "0", "x", "y")).toEqual({ allowed: "digits", item: "x", meant: "x?" });
    expect(refusal(listOf("digits", digit, "digits"), "x")).toMatchObject({ item: "x", meant: undefined });
  });
  it("are read without the blanks around them", () => {
    const number = numberOf("number", /^\d+$/, "a number", ["1"]);
    expect(number.schema).toEqual({ type: "string", pattern: String.raw`^\d+$`, examples: ["1"] });
    expect([" 17 ", "0"].map((value) => number.read([value]))).toEqual([17, 0]);
    expect(refusal(number, "x")).toEqual({ allowed: "a number", item: undefined, meant: undefined });
  });
});

describe("choices", () => {
  const choice = () =>
    oneOf("which", ["Old", "New"], {
      noFilter: ["ANY", "ALL"],
      aliases: { new: "New", Latest: "New" },
    });
  it("document all that they take, except what differs from another in case only", () => {
    expect(choice().schema).toEqual({
      ...{ type: "string", enum: ["ANY", "Old", "New", "ALL", "Latest"], default: "ANY", examples: ["Old"] },
    });
    expect(choice().about).toBe(
      "which; ANY and ALL ask for everything; new is the same as New; Latest is the same as New",
    );
    expect(oneOf("which", ["Old", "New"])).toMatchObject({
      about: "which",
      schema: { type: "string", enum: ["Old", "New"], examples: ["Old"] },
    });
    expect(oneOf("which", ["Old"]).schema).not.toHaveProperty("default");
    expect(oneOf("which", ["Old", "New"], { default: "New" }).schema.default).toBe("New");
  });
  it("are read by their exact names", () => {
    expect(["Old", "New", "new", "Latest", "ANY", "ALL"].map((value) => choice().read([value]))).toEqual([
      ...["Old", "New", "New", "New", undefined, undefined],
    ]);
    for (const wrong of ["old", "latest", "any", "toString"])
      expect(refusal(choice(), wrong)).toMatchObject({ allowed: "one of ANY, Old, New" });
    expect(refusal(oneOf("which", ["Old"]), "ANY")).toMatchObject({ allowed: "one of Old" });
  });
  it("of two are true and false", () => {
    expect(flag("whether").schema).toEqual({ type: "boolean", default: false, examples: [true] });
    expect(flag("whether", true).schema).toEqual({ type: "boolean", default: true, examples: [false] });
    expect(["true", "false"].map((value) => flag("whether").read([value]))).toEqual([true, false]);
    expect(refusal(flag("whether"), "1")).toMatchObject({ allowed: "true or false" });
  });
});

describe("course numbers and times of the schedule", () => {
  it("a range may be of one number", () =>
    expect(courseNumbersParam.read(["100-100"])).toEqual([{ low: 100, high: 100 }]));
  it("times say what they may be", () => {
    const clock = clockParam("when it starts", ["9:00am"]);
    expect(clock).toMatchObject({ about: "when it starts", schema: { type: "string", examples: ["9:00am"] } });
    expect([" 9:00am ", "0:00", "12:00am", "12:00 PM", "23:59"].map((time) => clock.read([time]))).toEqual([
      ...[540, 0, 0, 720, 1439],
    ]);
    for (const wrong of ["9", "24:00", "13:00pm", "9:60"])
      expect(refusal(clock, wrong)).toMatchObject({ allowed: "a time such as 9:00am, 1:30 pm or 13:30" });
  });
});
