/**
 * A streaming CSV parser for files of millions of rows, with a fast path for lines without quotes. Blanks around a value are trimmed, empty lines
 * skipped.
 */
export interface CommaRow {
  /** The number of its last line, from 1. */
  readonly line: number;
  readonly cells: string[];
}

/** Invalid CSV; the message says why. */
export class DamagedRow extends Error {}

/** A longer row means that a quote was never closed. */
const LONGEST_ROW = 1 << 20;

export interface CommaReader {
  /** Takes a chunk and returns the rows that it completes. @throws DamagedRow */
  push(text: string): CommaRow[];
  /** The last row, which may lack its line end. @throws DamagedRow */
  end(): CommaRow[];
}

export function createCommaReader(): CommaReader {
  /** Text from the start of an incomplete row. */
  let held = "";
  let line = 0;

  function readRows(): CommaRow[] {
    const rows: CommaRow[] = [];
    let from = 0;
    let quote = held.indexOf('"');
    for (;;) {
      const lineEnd = held.indexOf("\n", from);
      if (lineEnd < 0) break;
      if (quote >= 0 && quote < from) quote = held.indexOf('"', from);
      const isPlain = quote < 0 || quote > lineEnd;
      const found = isPlain
        ? { cells: held.slice(from, lineEnd).split(",").map(trim), end: lineEnd + 1 }
        : readQuoted(held, from, line);
      if (!found) break;
      for (let at = lineEnd; at >= 0 && at < found.end; at = held.indexOf("\n", at + 1)) line++;
      if (found.cells.length > 1 || found.cells[0] !== "") rows.push({ line, cells: found.cells });
      from = found.end;
    }
    held = held.slice(from);
    if (held.length > LONGEST_ROW) throw new DamagedRow(`the row that begins on line ${line + 1} does not end`);
    return rows;
  }

  return {
    push(text) {
      held += text;
      return readRows();
    },
    end() {
      if (held.trim() === "") return [];
      held += "\n";
      const rows = readRows();
      if (held !== "") throw new DamagedRow(`a quote that is opened on line ${line + 1} is not closed`);
      return rows;
    },
  };
}

const trim = (cell: string): string => cell.trim();

/** Parses a row with quotes; undefined when the text ends within it. */
function readQuoted(text: string, from: number, line: number): { cells: string[]; end: number } | undefined {
  const cells: string[] = [];
  let at = from;
  for (;;) {
    while (text[at] === " " || text[at] === "\t") at++;
    let cell: string;
    if (text[at] === '"') {
      const closing = findClosing(text, at + 1);
      if (closing === undefined) return undefined;
      cell = text
        .slice(at + 1, closing)
        .replaceAll('""', '"')
        .trim();
      at = closing + 1;
      while (text[at] === " " || text[at] === "\t" || text[at] === "\r") at++;
      if (at >= text.length) return undefined;
      if (text[at] !== "," && text[at] !== "\n")
        throw new DamagedRow(`there is more after a closing quote in the row that begins on line ${line + 1}`);
    } else {
      const begin = at;
      while (at < text.length && text[at] !== "," && text[at] !== "\n") at++;
      if (at >= text.length) return undefined;
      cell = text.slice(begin, at).trim();
      if (cell.includes('"'))
        throw new DamagedRow(`there is a quote inside a value in the row that begins on line ${line + 1}`);
    }
    cells.push(cell);
    if (text[at++] === "\n") return { cells, end: at };
  }
}

/** The index of the closing quote; doubled quotes are skipped. */
function findClosing(text: string, from: number): number | undefined {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 2)) {
    if (at + 1 >= text.length) return undefined;
    if (text[at + 1] !== '"') return at;
  }
  return undefined;
}
