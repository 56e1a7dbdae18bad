/** Section codes in a text that was pasted, such as another planner's list. */

export interface ReadCodes {
  /** Each once, in the order of the text. */
  readonly codes: readonly string[];
  /** Lines without a code: the first ones, as they begin. */
  readonly unread: readonly string[];
}

/** Longer texts are cut. */
const MAX_TEXT = 20_000;
const MAX_UNREAD = 10;
const MAX_LINE = 60;
/** No part of a longer number, or of a range, is a code. */
const CODE = /(?<!\d[.-]?)\d{5}(?![.-]?\d)/g;
/** A spreadsheet took the zeros away from a line that is a number alone. */
const ALONE = /^[,;\s]*(\d{3,4})[,;\s]*$/;

export function readCodes(text: string): ReadCodes {
  const lines = text.slice(0, MAX_TEXT).split(/\r?\n/);
  const read = lines.map((line) => {
    const alone = ALONE.exec(line)?.[1];
    return { line: line.trim(), codes: alone === undefined ? (line.match(CODE) ?? []) : [alone.padStart(5, "0")] };
  });
  return {
    codes: [...new Set(read.flatMap(({ codes }) => codes))],
    unread: read
      .filter(({ line, codes }) => line !== "" && codes.length === 0)
      .slice(0, MAX_UNREAD)
      .map(({ line }) => (line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)} …` : line)),
  };
}
