/**
 * Finds the rows and cells of comma-separated text without creating a string for each cell: files have millions of
 * rows, and most cells repeat.
 */
import { UpstreamBadResponse } from "../errors.ts";
import { beyondLimit, LIMITS } from "../limits.ts";

export interface CommaRows {
  /**
   * Moves to the next row that is not blank. Returns false when the text ends before the row does; the row is then
   * scanned again with the next piece.
   * @throws UpstreamBadResponse on damaged quotes, and on a row beyond the limits
   */
  next(): boolean;
  /** Adds a piece of text, or the end of the text. */
  add(piece: string | undefined): void;
  /** The number of the row's last line, from 1. */
  line(): number;
  /** The number of cells of the row. */
  count(): number;
  /** The text from the first cell to the last one, as it was written, with the commas between them. */
  text(first: number, last: number): string;
}

const [LINE_FEED, QUOTE, COMMA] = [10, 34, 44];

/** @param system the system in errors */
export function createCommaRows(system: string): CommaRows {
  const damaged = (what: string) => new UpstreamBadResponse(system, `the comma-separated text is damaged: ${what}`);
  let held = "";
  let isLast = false;
  let isQuoted = false;
  let [start, end, line, rows, cells, count] = [0, 0, 0, 0, 0, 0];
  /** The end of each cell of the row. */
  const ends: number[] = [];

  const isBlank = (from: number, to: number) => held.slice(from, to).trim() === "";
  const lineOf = (index: number) => line + held.slice(start, index).split("\n").length;
  const endless = () => damaged(isQuoted ? `row ${rows + 1} does not end` : `line ${line + 1} does not end`);

  /** Returns the index of the closing quote of a cell, or -1 when the text ends before it. */
  function closingQuote(cellStart: number, opening: number): number {
    isQuoted = true;
    if (!isBlank(cellStart, opening)) throw damaged(`a quote inside a value in line ${lineOf(opening)}`);
    let closing = held.indexOf('"', opening + 1);
    while (closing >= 0 && held.charCodeAt(closing + 1) === QUOTE) closing = held.indexOf('"', closing + 2);
    // The next piece may double it.
    return closing === held.length - 1 ? -1 : closing;
  }

  /** Returns the index of the row's line feed, or -1 when the text ends before it. */
  function findEnd(): number {
    const text = held;
    let cell = 0;
    let cellStart = start;
    isQuoted = false;
    for (let i = start; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (code === QUOTE) {
        const closing = closingQuote(cellStart, i);
        if (closing < 0) return -1;
        for (i = closing + 1; i < text.length && !isSeparator(text.charCodeAt(i)); i++);
        if (!isBlank(closing + 1, i))
          throw damaged(`more after the closing quote of a value in line ${lineOf(closing)}`);
        i--;
      } else if (isSeparator(code)) {
        ends[cell++] = i;
        cellStart = i + 1;
        if (code === LINE_FEED) {
          count = cell;
          return i;
        }
      }
    }
    return -1;
  }

  return {
    add(piece) {
      held = held.slice(end) + (piece ?? "\n");
      isLast = piece === undefined;
      end = 0;
    },
    next() {
      for (;;) {
        start = end;
        if (start === held.length) return false;
        const lineFeed = findEnd();
        if ((lineFeed < 0 ? held.length : lineFeed) - start > LIMITS.rows.bytes) throw endless();
        if (lineFeed < 0 && isLast) throw endless();
        if (lineFeed < 0) return false;
        end = lineFeed + 1;
        line = isQuoted ? lineOf(lineFeed) : line + 1;
        if (count === 1 && isBlank(start, end)) continue;
        rows++;
        cells += count;
        if (count > LIMITS.rows.columns) throw beyondLimit(system, "file", LIMITS.rows.columns, "columns in a row");
        if (cells > LIMITS.rows.cells) throw beyondLimit(system, "file", LIMITS.rows.cells, "cells");
        return true;
      }
    },
    line: () => line,
    count: () => count,
    text: (first, last) => held.slice(first === 0 ? start : (ends[first - 1] ?? 0) + 1, ends[last]),
  };
}

const isSeparator = (code: number): boolean => code === COMMA || code === LINE_FEED;

/** Returns the values of a row's sound text, without quotes and the blanks around them. */
export function commaValues(text: string): string[] {
  const values: string[] = [];
  let quoted: string[] = [];
  let isOpen = false;
  for (const piece of text.split(",")) {
    if (!isOpen && !piece.includes('"')) {
      values.push(piece.trim());
      continue;
    }
    quoted.push(piece);
    if (piece.split('"').length % 2 === 0) isOpen = !isOpen;
    if (isOpen) continue;
    values.push(quoted.join(",").trim().slice(1, -1).replaceAll('""', '"').trim());
    quoted = [];
  }
  return values;
}
