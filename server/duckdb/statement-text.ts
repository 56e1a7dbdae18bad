/** A statement with its values written into it, for people to run elsewhere: the server's own statements bind their values. */
import { quoteLiteral } from "../../pipeline/contract/sql-text.ts";
import type { Bindable, Fragment } from "./sql.ts";

/** One line; every value is a literal that cannot end early. */
export const statementText = ({ pieces, values }: Fragment): string =>
  pieces
    .map((piece, i) => piece.replace(/\s+/g, " ") + (i < values.length ? literal(values[i] as Bindable) : ""))
    .join("")
    .trim();

function literal(value: Bindable): string {
  if (typeof value === "string") return quoteLiteral(value);
  if (typeof value === "object") return `[${value.texts.map(quoteLiteral).join(", ")}]::VARCHAR[]`;
  return String(value);
}
