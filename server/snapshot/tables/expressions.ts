/** SQL expressions over published columns that several tables share. */
import { QUARTERS } from "../../../pipeline/contract/vocabulary.ts";
import { constant } from "../../duckdb/sql.ts";

/** Winter before Spring before the summer sessions before Fall. */
const quarters = `[${QUARTERS.map((quarter) => `'${quarter}'`).join(", ")}]`;
export const quarterRank = `list_position(${quarters}, quarter)`;
/** The quarter of a rank, where the column holds the rank. */
export const quarterOf = constant(`list_extract(${quarters}, quarter)`);

/** Texts of a list between line feeds: searching one text is faster than evaluating a list row by row. */
export const textLines = (list: string): string =>
  `concat(chr(10), array_to_string(list_transform(${list}, lambda line: concat(line, chr(10))), ''))`;

/** The line of a client's text. */
export const textLine = (text: string): string => `\n${text.replaceAll("\n", " ")}\n`;
