/**
 * The sheets that a workbook names. The spreadsheet library reads a part as often as it is named, so each must be named
 * only once.
 */

/** The elements that name sheets by an id, and ids by a part. */
const NAMES: Readonly<Record<string, readonly [element: RegExp, name: RegExp]>> = {
  "xl/workbook.xml": [/<(?:[\w.-]+:)?sheet\s[^<>]*/g, /:id\s*=\s*["']([^"'<>]*)/],
  "xl/_rels/workbook.xml.rels": [/<(?:[\w.-]+:)?Relationship\s[^<>]*/g, /\sTarget\s*=\s*["']([^"'<>]*)/],
};

/** A part may be named from the root or not: its name and its folder identify it. */
const lastSteps = (path = ""): string => path.split("/").slice(-2).join("/");

/** True when a part of a workbook names another part twice. */
export function namesTwice(part: string, content: Buffer): boolean {
  const [element, name] = NAMES[part] ?? [];
  if (!element || !name) return false;
  const names = Array.from(content.toString("latin1").matchAll(element), ([match]) => lastSteps(name.exec(match)?.[1]));
  return new Set(names).size < names.length;
}

/** The parts of the sheets in the workbook's order; `""` for a sheet whose part it does not name. */
export function sheetParts(workbook: string, relations: string): string[] {
  const attribute = (element: string, name: RegExp): string => name.exec(element)?.[1] ?? "";
  const [sheets, sheetId] = NAMES["xl/workbook.xml"] ?? [];
  const [targets, target] = NAMES["xl/_rels/workbook.xml.rels"] ?? [];
  if (!sheets || !sheetId || !targets || !target) return [];
  const parts = new Map(
    Array.from(relations.matchAll(targets), ([element]) => [attribute(element, /\sId\s*=\s*["']([^"'<>]*)/), element]),
  );
  return Array.from(workbook.matchAll(sheets), ([element]) => {
    const path = attribute(parts.get(attribute(element, sheetId)) ?? "", target);
    return path.startsWith("/") ? path.slice(1) : path && `xl/${path}`;
  });
}
