/**
 * Finds cells with a formula and no saved value. A program that does not calculate writes them, and the spreadsheet
 * library reads them as empty, or as 0
 * where the program writes that (ECMA-376 part 1, 18.3.1.40 and 18.2.2).
 */
import { Parser } from "htmlparser2";
import { UpstreamBadResponse } from "../../errors.ts";
import { sheetParts } from "./workbook-sheets.ts";

/** The placeholder in a table for the value of a formula. */
export const UNSAVED_FORMULA: unique symbol = Symbol("a formula without a saved value");

export const REMEDY = "open the workbook in a spreadsheet program and save it";

/** Elements of a worksheet nest less deeply (ECMA-376 part 1, 18.3). */
const MAX_DEPTH = 50;

interface FormulaCell {
  /** The row, counted from 0. */
  readonly row: number;
  readonly column: number;
  readonly value: string;
}

export interface UnsavedFormulas {
  /** Reads a part of the workbook; parts may arrive in any order. */
  add(part: string, content: Buffer): void;
  /** The rows of the sheet at this position in the workbook's list, with `UNSAVED_FORMULA` in each such cell. */
  mark(sheet: number, rows: readonly (readonly unknown[])[]): (readonly unknown[])[];
}

export function createUnsavedFormulas(): UnsavedFormulas {
  const cells = new Map<string, FormulaCell[]>();
  const texts = new Map<string, string>();
  const all = () => [...cells.values()].flat();
  /** XlsxWriter and others write 0 into every formula, and ask for a calculation when the workbook is opened. */
  const isUncalculated = () =>
    /<(?:[\w.-]+:)?calcPr\s[^<>]*fullCalcOnLoad\s*=\s*["'](?:1|true)["']/.test(texts.get("xl/workbook.xml") ?? "") &&
    all().every(({ value }) => value === "" || Number(value) === 0);
  const unsavedIn = (part: string) => {
    const areZeros = isUncalculated();
    return (cells.get(part) ?? []).filter(({ value }) => value === "" || areZeros);
  };
  return {
    add(part, content) {
      if (part === "xl/workbook.xml" || part === "xl/_rels/workbook.xml.rels") texts.set(part, content.toString());
      // Most sheets have no formula at all.
      if (/^\/?xl\/worksheets\//.test(part) && (content.includes("<f") || content.includes(":f")))
        cells.set(part.replace(/^\//, ""), formulasIn(content.toString()));
    },
    mark(sheet, rows) {
      const parts = sheetParts(texts.get("xl/workbook.xml") ?? "", texts.get("xl/_rels/workbook.xml.rels") ?? "");
      const unsaved = unsavedIn(parts[sheet] ?? "");
      if (unsaved.length === 0) return [...rows];
      const marked = rows.map((cells) => [...cells]);
      for (const { row, column } of unsaved) {
        const cells = marked[row];
        // A row after the last has no other cells.
        if (!cells) continue;
        while (cells.length <= column) cells.push(null);
        cells[column] = UNSAVED_FORMULA;
      }
      return marked;
    },
  };
}

/**
 * Cells with a formula, with their saved value; `""` when there is none. A cell without a reference follows the
 * previous cell.
 */
function formulasIn(xml: string): FormulaCell[] {
  const formulas: FormulaCell[] = [];
  let [row, column] = [-1, -1];
  let value: string | undefined;
  let isFormula = false;
  let isInValue = false;
  let depth = 0;
  const local = (name: string) => name.slice(name.indexOf(":") + 1);
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (++depth > MAX_DEPTH) throw new UpstreamBadResponse("records", "the workbook's elements nest too deeply");
        const tag = local(name);
        if (tag === "row") {
          row = attributes["r"] === undefined ? row + 1 : Number(attributes["r"]) - 1;
          column = -1;
        } else if (tag === "c") {
          column = columnOf(attributes["r"]) ?? column + 1;
          value = "";
          isFormula = false;
        } else if (value !== undefined && tag === "f") isFormula = true;
        else if (value !== undefined && (tag === "v" || tag === "t")) isInValue = true;
      },
      ontext(text) {
        if (isInValue && value !== undefined) value += text;
      },
      onclosetag(name) {
        depth--;
        const tag = local(name);
        if (tag === "v" || tag === "t") isInValue = false;
        if (tag !== "c") return;
        if (isFormula && value !== undefined && row >= 0) formulas.push({ row, column, value: value.trim() });
        value = undefined;
      },
    },
    { xmlMode: true, decodeEntities: false },
  );
  parser.end(xml);
  return formulas;
}

/** `B7` → 1. */
function columnOf(reference: string | undefined): number | undefined {
  const letters = /^[A-Z]{1,3}/i.exec(reference ?? "")?.[0];
  if (letters === undefined) return undefined;
  return Array.from(letters.toUpperCase()).reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}
