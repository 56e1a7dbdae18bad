/**
 * The lines of a table's cell as a browser shows them, blank lines and indentation included: registrars align labels
 * and dates by them.
 */
import { beyondLimit, LIMITS } from "../limits.ts";
import { type Element, LINE_BREAK, type Page } from "./html-page.ts";

export interface CellLine {
  /** The text; empty for a blank line. */
  readonly text: string;
  /** The indentation, comparable within a table: no-break spaces, depth of lists, margins. */
  readonly indent: number;
}

type Node = Element["children"][number];

/** Elements that begin a new line; those in `LINES` are a line even if they are empty. */
const BLOCKS = new Set([
  "p",
  "div",
  "li",
  "ul",
  "ol",
  "dl",
  "dt",
  "dd",
  "tr",
  "table",
  "section",
  "blockquote",
  "h3",
  "h4",
  "h5",
  "h6",
]);
const LINES = new Set(["p", "div", "li", "dt", "dd"]);
/** Elements that are indented. */
const NESTED = new Set(["ul", "ol", "dd", "blockquote"]);
const NESTED_INDENT = 4;
/** Elements whose text is not read, such as struck text. */
const UNREAD = new Set(["script", "style", "del", "s", "strike", "template"]);
/** A footnote: `1`, `a`, `*`, `[2]`. */
const FOOTNOTE = /^[\s[(]*(?:\d{1,2}|[a-z]|[*†‡§¶#]+)(?:\s*,\s*(?:\d{1,2}|[a-z]|[*†‡§¶#]+))*[\s\])]*$/i;

/**
 * Reads the lines of a cell, without marks of footnotes in `<sup>` or in links within the page.
 * @throws UpstreamBadResponse when there are more lines than the limit
 */
export function linesOfCell(page: Page, cell: Element): CellLine[] {
  const lines: CellLine[] = [];
  let raw = "";
  let indent: number | undefined;
  const end = (isLine: boolean) => {
    const text = raw.replace(/\s+/g, " ").trim();
    if (text !== "" || isLine) lines.push({ text, indent: (indent ?? 0) + blanksBefore(raw) });
    if (lines.length > LIMITS.cell.lines) throw beyondLimit("calendar", "page", LIMITS.cell.lines, "lines in a cell");
    [raw, indent] = ["", undefined];
  };
  const read = (node: Node, outer: number): void => {
    if (node.type === "text") {
      for (const [i, part] of node.data.split(LINE_BREAK).entries()) {
        if (i > 0) end(true);
        if (/[^\s\u00A0]/.test(part)) indent ??= outer;
        raw += part;
      }
      return;
    }
    if (!("attribs" in node) || UNREAD.has(node.name) || isFootnote(page, node)) return;
    const isBlock = BLOCKS.has(node.name);
    const inner = outer + indentOf(node);
    if (isBlock) end(raw.includes("\u00A0"));
    const lineCount = lines.length;
    for (const child of node.children) read(child, inner);
    if (isBlock) end(raw.includes("\u00A0") || (LINES.has(node.name) && lines.length === lineCount));
  };
  for (const child of cell.children) read(child, indentOf(cell));
  end(raw.includes("\u00A0"));
  return lines;
}

/** Counts the leading no-break and wide spaces. */
function blanksBefore(raw: string): number {
  const [leading = ""] = /^\s*/.exec(raw) ?? [];
  return [...leading].reduce(
    (sum, space) => sum + (space === "\u00A0" ? 1 : /[\u2000-\u2003\u3000]/.test(space) ? 2 : 0),
    0,
  );
}

function indentOf({ name, attribs }: Element): number {
  const nested = NESTED.has(name) ? NESTED_INDENT : 0;
  const [, level] = /\bindent(?:ed)?[-_]?(\d?)\b/i.exec(attribs["class"] ?? "") ?? [];
  const [, length = "0", unit] =
    /(?:margin-left|padding-left|text-indent)\s*:\s*([\d.]+)(px|r?em|ch|pt|%)/i.exec(attribs["style"] ?? "") ?? [];
  const width = Number(length) / (unit?.endsWith("em") || unit === "ch" ? 0.5 : 5);
  return nested + width + (level === undefined ? 0 : NESTED_INDENT * Number(level || 1));
}

function isFootnote(page: Page, element: Element): boolean {
  const isApart = element.name === "sup" || (element.name === "a" && element.attribs["href"]?.startsWith("#") === true);
  return isApart && FOOTNOTE.test(page(element).text());
}
