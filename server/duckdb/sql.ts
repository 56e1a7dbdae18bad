/** Builds SQL text with bound values. Client input is always a parameter, never text. */
import { quoteLiteral } from "../../pipeline/contract/sql-text.ts";

/** A value that can be bound; lists are lists of texts. */
export type Bindable = string | number | boolean | readonly string[];

/** SQL text, split at its parameters, and their values. */
export interface Fragment {
  readonly pieces: readonly string[];
  readonly values: readonly Bindable[];
}

const isFragment = (value: Bindable | Fragment): value is Fragment => typeof value === "object" && "pieces" in value;

/** Builds a fragment: nested fragments become text, everything else becomes a parameter. */
export function sql(strings: TemplateStringsArray, ...values: readonly (Bindable | Fragment)[]): Fragment {
  const pieces = [strings[0] ?? ""];
  const bound: Bindable[] = [];
  values.forEach((value, i) => {
    const next = strings[i + 1] ?? "";
    if (isFragment(value)) {
      const [first = "", ...rest] = value.pieces;
      pieces[pieces.length - 1] += first;
      pieces.push(...rest);
      bound.push(...value.values);
      pieces[pieces.length - 1] += next;
    } else {
      bound.push(value);
      pieces.push(next);
    }
  });
  return { pieces, values: bound };
}

/** Creates an identifier of letters, digits and underscores, such as the name of a loaded table. @throws TypeError */
export function name(text: string): Fragment {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(text)) throw new TypeError("not an SQL identifier");
  return { pieces: [text], values: [] };
}

/** Creates trusted SQL text, such as a column list of the contract; never client input. */
export function constant(text: string): Fragment {
  return { pieces: [text], values: [] };
}

/** Joins conditions as `(a) AND (b)`; TRUE if there are none. */
export const allOf = (conditions: readonly Fragment[]): Fragment => joined(conditions, "AND", "TRUE");
/** Joins conditions as `(a) OR (b)`; FALSE if there are none. */
export const anyOf = (conditions: readonly Fragment[]): Fragment => joined(conditions, "OR", "FALSE");

/** Returns `WHERE …`, or nothing without a condition. */
export const where = (conditions: readonly Fragment[]): Fragment =>
  conditions.length === 0 ? sql`` : sql`WHERE ${allOf(conditions)}`;

/** Joins at least one fragment as `a, b`. */
export const listed = (fragments: readonly Fragment[]): Fragment => build(fragments, "", ", ", "");

const joined = (conditions: readonly Fragment[], word: string, none: string): Fragment =>
  conditions.length === 0 ? constant(none) : build(conditions, "(", `) ${word} (`, ")");

/** Joins fragments in a single pass, because every request does. */
function build(fragments: readonly Fragment[], open: string, between: string, close: string): Fragment {
  const pieces = [open];
  fragments.forEach(({ pieces: [first = "", ...rest] }, i) => {
    pieces[pieces.length - 1] += (i === 0 ? "" : between) + first;
    pieces.push(...rest);
  });
  pieces[pieces.length - 1] += close;
  return { pieces, values: fragments.flatMap(({ values }) => values) };
}

/** Returns the statement's text, with `$1`, `$2`, … for its values. */
export const toText = ({ pieces }: Fragment): string =>
  pieces.reduce((all, piece, i) => (i === 0 ? piece : `${all}$${i}${piece}`), "");

/** Returns the statement on a single line with its values as safe literals, for people to run elsewhere. */
export const statementText = ({ pieces, values }: Fragment): string =>
  pieces
    .map((piece, i) => piece.replace(/\s+/g, " ") + (i < values.length ? literal(values[i] as Bindable) : ""))
    .join("")
    .trim();

function literal(value: Bindable): string {
  if (typeof value === "string") return quoteLiteral(value);
  if (typeof value === "object") return `[${value.map(quoteLiteral).join(", ")}]::VARCHAR[]`;
  return String(value);
}
