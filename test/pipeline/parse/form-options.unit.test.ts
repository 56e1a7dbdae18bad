/** Options of forms that stand for nothing, in every list that is read: none is asked for, and none is a fault. */
import { describe, expect, it } from "vitest";
import { parsePrerequisiteForm } from "../../../pipeline/parse/prerequisites-html.ts";
import { parseListing } from "../../../pipeline/parse/schedule/listing-html.ts";

/** The lists of the two forms, with a real option each, and how often an unknown one is named. */
const LISTS = {
  dept: ['<option value="MATH">MATH</option>', ["MATH"]],
  Dept: ['<option value="MATH">MATH . . . .Mathematics</option>', ["MATH"]],
  YearTerm: ['<option value="2024-92">2024  Fall Quarter</option>', ["2024 Fall"]],
  Breadth: ['<option value="GE-2">GE II</option>', []],
} as const;
type List = keyof typeof LISTS;

/** The items of a list that begins with the option, and the unknown options. */
function read(list: List, option: string, isFirst: boolean): { items: string[]; unknown: string[] } {
  const content = (name: List) => {
    const options = name === list ? [option, LISTS[name][0]] : [LISTS[name][0]];
    return (isFirst ? options : options.toReversed()).join("\n");
  };
  const select = (name: List) => `<select name="${name}">${content(name)}</select>`;
  const html = `<html><body><form>${(Object.keys(LISTS) as List[]).map(select).join("")}</form></body></html>`;
  if (list === "dept") return { items: parsePrerequisiteForm(html), unknown: [] };
  const { departments, terms, unknown } = parseListing(html);
  const items = {
    Dept: departments.map(({ deptCode }) => deptCode),
    YearTerm: terms.map(({ year, quarter }) => `${year} ${quarter}`),
    Breadth: [],
  };
  return { items: items[list], unknown: unknown.map(({ name }) => name) };
}

const LABELS = [
  "Select a department",
  "-- Please choose --",
  "(none)",
  "--- Term ---",
  "Choose…",
  "Department ...",
  "",
];
const ATTRIBUTES = ['value=""', 'value=" "', 'value="0"', 'value="-"', 'value="-1"', 'value="--"', 'value="&nbsp;"'];
const placeholders = [
  ...LABELS.flatMap((label) => [
    `<option>${label}</option>`,
    `<option value="${label}">${label}</option>`,
    ...ATTRIBUTES.map((attribute) => `<option ${attribute}>${label}</option>`),
  ]),
  '<option disabled value="HIST">HIST</option>',
  "<option disabled selected hidden>HIST</option>",
  '<optgroup label="closed" disabled><option value="HIST">HIST</option></optgroup>',
];

describe.each(Object.keys(LISTS) as List[])("the list %s", (list) => {
  it("takes an option that stands for nothing for nothing, wherever it stands", () => {
    for (const option of placeholders)
      for (const isFirst of [true, false])
        expect(read(list, option, isFirst), option).toEqual({ items: [...LISTS[list][1]], unknown: [] });
  });

  it("takes a first option without a value for a label where the others have values", () => {
    expect(read(list, "<option>DEPARTMENT</option>", true)).toEqual({ items: [...LISTS[list][1]], unknown: [] });
  });

  it("reads or names an unknown option with a value", () => {
    for (const label of ["NEW THINGS", "Selected Topics"]) {
      const { items, unknown } = read(list, `<option value="NEW">${label}</option>`, true);
      expect([...items, ...unknown].join()).toContain("NEW");
    }
  });
});

it("reads labels where no option has a value", () => {
  const form = (options: string) =>
    parsePrerequisiteForm(`<html><body><select name="dept">${options}</select></body></html>`);
  expect(form("<option>Select a department<option>MATH<option>I&amp;C SCI<option> ALL")).toEqual(["MATH", "I&C SCI"]);
});
