/** Orders that several tables share, as SQL of our own. */
import { QUARTERS } from "../../../pipeline/contract/vocabulary.ts";

/** Winter before Spring before the summer sessions before Fall. */
export const quarterRank = `list_position([${QUARTERS.map((quarter) => `'${quarter}'`).join(", ")}], quarter)`;
