import { constant } from "../../duckdb/sql.ts";
import { QUARTERS } from "../../../pipeline/contract/vocabulary.ts";

/** Winter before Spring before the summer sessions before Fall. */
const quarters = `[${QUARTERS.map((quarter) => `'${quarter}'`).join(", ")}]`;
export const quarterRank = `list_position(${quarters}, quarter)`;
/** The quarter of a rank, where the column holds the rank. */
export const quarterOf = constant(`list_extract(${quarters}, quarter)`);
