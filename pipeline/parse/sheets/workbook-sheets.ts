/** The sheets that a workbook names. The spreadsheet library reads a part as often as it is named, so that each must be named once. */

/** The elements that name sheets by an id, and ids by a part. */
const NAMES: Readonly<Record<string, readonly [element: RegExp, name: RegExp]>> = {
  "xl/workbook.xml": [/<(?:[\w.-]+:)?sheet\s[^<>]*/g, /:id\s*=\s*["']([^"'<>]*)/],
  "xl/_rels/workbook.xml.rels": [/<(?:[\w.-]+:)?Relationship\s[^<>]*/g, /\sTarget\s*=\s*["']([^"'<>]*)/],
};

/** A part may be named from the root or not: its name and its folder tell it from others. */
const lastSteps = (path = ""): string => path.split("/").slice(-2).join("/");

/** Whether a part of a workbook names another one twice. */
export function namesTwice(part: string, content: Buffer): boolean {
  const [element, name] = NAMES[part] ?? [];
  if (!element || !name) return false;
  const names = Array.from(content.toString("latin1").matchAll(element), ([found]) => lastSteps(name.exec(found)?.[1]));
  return new Set(names).size < names.length;
}
