/**
 * Reads a text as its reader sees it: markup removed, entities and escapes decoded, a blank of any kind as a space or,
 * where a line or column ends, as `\n`.
 */
import { decodeHTML } from "entities";

/**
 * A part of a text that is read in a single pass; each of its characters knows the part of the source that it stands
 * for.
 */
export interface ReadText {
  readonly text: string;
  /** Maps an offset of `text` to the start of its character in the source. */
  from(offset: number): number;
  /** Maps an offset of `text` to the end of its character in the source. */
  to(offset: number): number;
  /** The inside of a tag: its attributes are read by themselves. */
  readonly isTag: boolean;
}

/** A part of a decoded text, and its replacement. */
export interface Replaced {
  readonly from: number;
  readonly to: number;
  readonly by: string;
}

export interface ReadOptions {
  /** True when zero-width characters and inline tags separate words; by default words continue across them. */
  readonly separates: boolean;
}

/** `a < b` is none. */
const TAG = /<[/!?]?[a-z][^<>]*>/iy;
const COMMENT = ["<!--", "-->"] as const;
/** Tags that begin a line. */
const LINES = /^<\/?(?:address|blockquote|br|center|dd|div|dl|dt|h[1-6]|li|ol|p|pre|section|article|ul)\b/i;
/** Tags between the cells of tables and workbooks: no name continues across them. */
const CELLS = /^<\/?(?:td|th|tr|table|hr|si|is|c|row|sheet)\b/i;
/** With another `&amp;` before it, it was encoded twice. */
const ENTITY = /&(?:(?:amp|#0*38|#x0*26);)*(?:#x[0-9a-f]{1,8}|#\d{1,8}|[a-z][a-z0-9]{1,31});?/iy;
/** Escapes of JSON (also nested in JSON) and of addresses. */
const ESCAPE = /\\{1,8}(?:u[0-9a-f]{4}|[nrtbf"/\\])|(?:%[0-9a-f]{2})+/iy;
/** Soft hyphens, joiners, marks of direction. */
const INVISIBLE = /\p{Cf}|\u034f|[\u115f\u1160\u17b4\u17b5]|[\u180b-\u180f]|[\ufe00-\ufe0f]/u;
const SOFT_HYPHEN = "\u00ad";
// oxlint-disable-next-line no-control-regex
const BLANK = /[\s\u0000-\u001f\u0080-\u009f\u2800\u3164]/u;
const blankOf = (blank: string): string => (/[\t\n\v\f\r\u0085\u2028\u2029]/.test(blank) ? "\n" : " ");
const BLANKS = new RegExp(BLANK, "gu");
/** Part of no word, and no blank. */
const BETWEEN_CELLS = "|";

/** True when a text needs no decoding. */
const isPlain = (text: string): boolean => /^[^<&\\%\p{Cf}\p{Mn}\p{Me}\u115f\u1160\u3164\uff01-\uff5e]*$/u.test(text);

/** True when `separates` makes a difference. */
export const hasInvisible = (text: string): boolean => /[<&\\%]/.test(text) || INVISIBLE.test(text);

/** The text and the inside of each of its tags. */
export function readTexts(source: string, { separates }: ReadOptions): ReadText[] {
  if (isPlain(source)) return [asWritten(source)];
  const main = collect(false);
  const tags: ReadText[] = [];
  const lastEnd = source.lastIndexOf(COMMENT[1]);
  const commentAt = (offset: number): string | undefined => {
    if (offset > lastEnd || !source.startsWith(COMMENT[0], offset)) return undefined;
    const end = source.indexOf(COMMENT[1], offset + COMMENT[0].length);
    return end < 0 ? undefined : source.slice(offset, end + COMMENT[1].length);
  };
  for (let offset = 0; offset < source.length;) {
    const tag = source[offset] === "<" ? (commentAt(offset) ?? stickyMatch(TAG, source, offset)) : undefined;
    if (tag !== undefined) {
      const inside = collect(true);
      readInto(inside, source, offset + 1, offset + tag.length - 1, separates);
      tags.push(inside.end());
      if (CELLS.test(tag)) main.add(BETWEEN_CELLS, offset, offset);
      else if (LINES.test(tag)) main.add("\n", offset, offset);
      else if (separates) main.add(" ", offset, offset);
      offset += tag.length;
    } else offset = readCharacter(main, source, offset, source.length, separates);
  }
  return [main.end(), ...tags];
}

const asWritten = (source: string): ReadText => ({
  text: source.replace(BLANKS, blankOf),
  from: (offset) => offset,
  to: (offset) => offset + 1,
  isTag: false,
});

/** Splits a match into its pieces between markup; the replacement goes into the first piece. */
export function piecesOf(read: ReadText, { by, from, to }: Replaced, source: string): Replaced[] {
  const pieces: { from: number; to: number; by: string }[] = [];
  for (let offset = from; offset < to; offset++) {
    const [start, end] = [read.from(offset), read.to(offset)];
    const last = pieces.at(-1);
    if (start === end) continue;
    if (last && !source.slice(last.to, start).includes("<")) last.to = Math.max(last.to, end);
    else pieces.push({ from: start, to: end, by: pieces.length === 0 ? by : "" });
  }
  return pieces;
}

interface Collector {
  add(character: string, from: number, to: number): void;
  end(): ReadText;
}

function collect(isTag: boolean): Collector {
  const characters: string[] = [];
  const [starts, ends]: [number[], number[]] = [[], []];
  return {
    add(character, from, to) {
      characters.push(character);
      // Record a position for each UTF-16 code unit.
      for (let i = 0; i < character.length; i++) {
        starts.push(from);
        ends.push(to);
      }
    },
    end: () => ({
      text: characters.join(""),
      from: (offset) => starts[offset] ?? 0,
      to: (offset) => ends[offset] ?? 0,
      isTag,
    }),
  };
}

function readInto(into: Collector, source: string, start: number, end: number, separates: boolean): void {
  for (let offset = start; offset < end;) offset = readCharacter(into, source, offset, end, separates);
}

/** Returns the offset behind what was read. */
function readCharacter(into: Collector, source: string, offset: number, end: number, separates: boolean): number {
  const written = stickyMatch(source[offset] === "&" ? ENTITY : ESCAPE, source, offset);
  const decoded = written === undefined || offset + written.length > end ? undefined : decode(written);
  const character = String.fromCodePoint(source.codePointAt(offset) ?? 0);
  const { length, read } = decoded ?? { length: character.length, read: character };
  const next = offset + length;
  for (const char of read)
    if (!INVISIBLE.test(char)) into.add(BLANK.test(char) ? blankOf(char) : narrow(char), offset, next);
    else if (separates && char !== SOFT_HYPHEN) into.add(" ", offset, next);
  return next;
}

/** `Ｖ` → `V` */
const narrow = (character: string): string =>
  /[\uff01-\uff5e]/.test(character) ? String.fromCharCode(character.charCodeAt(0) - 0xfee0) : character;

function stickyMatch(pattern: RegExp, text: string, offset: number): string | undefined {
  pattern.lastIndex = offset;
  return pattern.exec(text)?.[0];
}

/** Returns the decoded text and the number of source characters that it replaces; undefined when nothing is encoded. */
function decode(written: string): { length: number; read: string } | undefined {
  const { length } = written;
  if (written.startsWith("%")) return decodePercent(written);
  if (written.startsWith("\\")) {
    const escaped = written.replace(/^\\+(?!$)/, "").toLowerCase();
    const code = escaped.length > 1 ? String.fromCharCode(Number.parseInt(escaped.slice(1), 16)) : undefined;
    return { length, read: code ?? ESCAPED[escaped] ?? escaped };
  }
  const once = written.replace(/&(?:(?:amp|#0*38|#x0*26);)+/i, "&");
  const decoded = decodeHTML(once);
  if (decoded === once) return undefined;
  // `&nbspVane;`: old entities need no end.
  let rest = 0;
  while (rest < decoded.length - 1 && decoded.at(-1 - rest) === once.at(-1 - rest)) rest++;
  return { length: length - rest, read: decoded.slice(0, decoded.length - rest) };
}

const ESCAPED: Readonly<Record<string, string>> = { n: "\n", r: "\n", t: "\t", b: " ", f: "\n" };

function decodePercent(written: string): { length: number; read: string } | undefined {
  try {
    return { length: written.length, read: decodeURIComponent(written) };
  } catch {
    return undefined;
  }
}
