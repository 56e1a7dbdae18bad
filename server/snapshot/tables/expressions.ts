/** SQL expressions over published columns that several tables share. */
import { QUARTERS } from "../../../pipeline/contract/vocabulary.ts";

/** Orders the quarters: Winter, Spring, the summer sessions, Fall. */
const quarters = `[${QUARTERS.map((quarter) => `'${quarter}'`).join(", ")}]`;
export const quarterRank = `list_position(${quarters}, quarter)`;

/** Joins the texts of a list with line feeds: searching a single text is faster than evaluating a list per row. */
export const textLines = (list: string): string =>
  `concat(chr(10), array_to_string(list_transform(${list}, lambda line: concat(line, chr(10))), ''))`;

/** Returns the line to search for a client's text. */
export const textLine = (text: string): string => `\n${text.replaceAll("\n", " ")}\n`;

/** Returns published columns that a loaded table has under their own names. */
export const same = <const N extends readonly string[]>(names: N): { readonly [K in N[number]]: string } =>
  Object.fromEntries(names.map((name) => [name, name])) as Record<N[number], string>;
