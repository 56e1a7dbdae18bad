/**
 * Splits rows whose label has several lines: finds the line of the label that each line of a cell belongs to, and its
 * name.
 */
import type { CellLine } from "./cell-lines.ts";

export interface LabelledText {
  /** The label of the row, then that of the line's group. */
  readonly label: string;
  readonly text: string;
}

type Lines = readonly CellLine[];

/** The lines of a cell with a text, and the line of the label for each. */
interface Aligned {
  readonly texts: readonly string[];
  readonly at: readonly number[];
}

const textsOf = (lines: Lines): string[] => lines.map(({ text }) => text).filter(Boolean);
const filledIn = (lines: Lines): number[] => lines.flatMap(({ text }, i) => (text === "" ? [] : [i]));

/** `(observed)`, `5:00 p.m.`: a remark about the date above it. */
const REMARK = /^(?:\(|(?:by |at )?(?:\d{1,2}(?::\d\d)?\s*[ap]\.?m\b|\d{1,2}:\d\d|noon\b|midnight\b))/i;

/** Moves remarks to the lines that they are about, and leaves their lines blank. */
function withRemarks(cell: Lines): Lines {
  const lines: CellLine[] = [];
  for (const line of cell) {
    const about = lines.findLastIndex(({ text }) => text !== "");
    const aboutLine = lines[about];
    if (aboutLine && REMARK.test(line.text)) lines[about] = { ...aboutLine, text: `${aboutLine.text} ${line.text}` };
    lines.push(aboutLine && REMARK.test(line.text) ? { ...line, text: "" } : line);
  }
  return lines;
}

/** The texts of each cell with their labels. */
export function labelLines(label: Lines, printed: readonly Lines[]): LabelledText[][] {
  const cells = printed.map(withRemarks);
  const most = Math.max(...cells.map((cell) => textsOf(cell).length));
  const aligned = cells.map((cell) => align(label, cell, most));
  const dated = new Set(aligned.flatMap((cell) => cell?.at ?? []));
  // A single date beside a label of several lines applies to all of them, unless it belongs to an indented line.
  const hasGroups =
    aligned.some((cell) => (cell?.texts.length ?? 0) > 1) || (!isFlat(label) && [...dated].some((line) => line > 0));
  const name = hasGroups ? namesOf(label, dated) : () => "";
  return cells.map((cell, i) => {
    const alignment = aligned[i];
    if (!alignment || !hasGroups) return ofWhole(textsOf(label).join(" "), textsOf(cell));
    return alignment.texts.map((text, line) => ({ label: name(alignment.at[line] ?? 0), text }));
  });
}

const isFlat = (label: Lines): boolean => {
  const filled = label.filter(({ text }) => text !== "");
  return filled.every(({ indent }) => indent <= (filled[0]?.indent ?? 0));
};

/**
 * Aligns by line, if there are as many texts as lines of the label; else with the lines of the label that have no
 * indented lines below them, if there are as many; else from the end. Undefined if the cell belongs to the whole label.
 * `most` is the number of texts of the row's fullest cell.
 */
function align(label: Lines, cell: Lines, most: number): Aligned | undefined {
  const filled = filledIn(label);
  const textLines = filledIn(cell);
  const texts = textsOf(cell);
  if (filled.length < 2 || texts.length === 0) return undefined;
  const isFull = textLines.length > 0 && textLines.every((line) => filled.includes(line));
  const lastLine = (lines: Lines) => filledIn(lines).at(-1);
  const isSameLength = cell.length === label.length || lastLine(cell) === lastLine(label);
  const leadsBlank = textLines[0] !== 0;
  const isWrapped = isFlat(label) && !leadsBlank && joinContinued(texts).length < texts.length;
  if (isFull && isSameLength && !isWrapped) return { texts, at: textLines };
  const ends = lastLines(label, filled);
  for (const lines of [texts, joinContinued(texts)])
    if (ends.length > 0 && ends.length === lines.length) return { texts: lines, at: ends };
  if (isFull && leadsBlank) return { texts, at: textLines };
  const isEnough = texts.length > 1 && texts.length === most && texts.length < filled.length;
  return isFlat(label) && isEnough && !isWrapped ? { texts, at: filled.slice(-texts.length) } : undefined;
}

/** The lines without indented lines below them, after those of the row's label; none if nothing is indented. */
function lastLines(label: Lines, filled: readonly number[]): number[] {
  const indents = filled.map((line) => label[line]?.indent ?? 0);
  const first = indents.findIndex((indent) => indent > (indents[0] ?? 0));
  return first === -1 ? [] : filled.filter((_, i) => i >= first && (indents[i + 1] ?? 0) <= (indents[i] ?? 0));
}

/** `Dec 24 –` and `Jan 1` on two lines are one text. */
function joinContinued(texts: readonly string[]): string[] {
  const joined: string[] = [];
  for (const text of texts) {
    const previous = joined.at(-1);
    const goesOn =
      /(?:[-–—,&]|\b(?:and|to|through))$/i.test(previous ?? "") ||
      /^(?:[-–—,&]|(?:and|to|through|until)\b(?! be))/i.test(text);
    if (previous !== undefined && goesOn) joined[joined.length - 1] = `${previous} ${text}`;
    else joined.push(text);
  }
  return joined;
}

/** A line may name its group: `graduate: May 18`. */
const GROUP = /^(?=[^\d:a-z]*[a-z])([^\d:]*):\s*(?=\S)/i;

function ofWhole(label: string, lines: readonly string[]): LabelledText[] {
  const texts: LabelledText[] = [];
  for (const line of joinContinued(lines)) {
    const [prefix = "", group] = GROUP.exec(line) ?? [];
    const last = texts.at(-1);
    if (group !== undefined) texts.push({ label: `${label} ${group.trim()}`, text: line.slice(prefix.length) });
    else if (last?.label === label) texts[texts.length - 1] = { label, text: `${last.text}; ${line}` };
    else texts.push({ label, text: line });
  }
  return texts;
}

/** A line of the label, with its continuation lines. */
interface Heading {
  readonly indent: number;
  readonly texts: string[];
}

/**
 * The name of a line of the label: the less indented lines above it, then itself. The lines before the first dated line
 * are the row's label, even if nothing is indented. A remark in brackets belongs to the line before it.
 */
function namesOf(label: Lines, dated: ReadonlySet<number>): (line: number) => string {
  const filled = filledIn(label);
  const first = Math.min(...dated);
  const base = label[filled[0] ?? 0]?.indent ?? 0;
  const hasLead = (filled[0] ?? 0) < first;
  const shift = hasLead ? Math.max(0, base + 1 - (label[first]?.indent ?? 0)) : 0;
  const paths = new Map<number, readonly Heading[]>();
  let path: Heading[] = [];
  for (const line of filled) {
    const { text, indent: ownIndent } = label[line] as CellLine;
    const isLead = line < first;
    const last = path.at(-1);
    const indent = ownIndent + (isLead ? 0 : shift);
    if (last && ((isLead && last.indent === indent) || (!dated.has(line) && text.startsWith("(")))) {
      last.texts.push(text);
      continue;
    }
    path = [...path.filter((heading) => heading.indent < indent), { indent, texts: [text] }];
    paths.set(line, path);
  }
  return (line) => (paths.get(line) ?? []).flatMap(({ texts }) => texts).join(" ");
}
