/** SQL expressions over published columns that several tables share. */
import { QUARTERS } from "../../../pipeline/contract/vocabulary.ts";

/** Winter before Spring before the summer sessions before Fall. */
const quarters = `[${QUARTERS.map((quarter) => `'${quarter}'`).join(", ")}]`;
export const quarterRank = `list_position(${quarters}, quarter)`;

/** Texts of a list between line feeds: searching one text is faster than evaluating a list row by row. */
export const textLines = (list: string): string =>
  `concat(chr(10), array_to_string(list_transform(${list}, lambda line: concat(line, chr(10))), ''))`;

/** The line of a client's text. */
export const textLine = (text: string): string => `\n${text.replaceAll("\n", " ")}\n`;
