/** Filters take-downs out of rows in memory, as they are crawled or answered live. */
import { leftOf, NAME_LISTS, NOTICES } from "./file-rows.ts";
import { withoutNames } from "./names-in-text.ts";
import type { Forgotten } from "./tombstones.ts";

/** Copies a row, or a list of rows; lists of instructors read `STAFF` where nobody is left. */
export const rowsWithoutForgotten = <Value>(value: Value, forgotten: Forgotten): Value =>
  valueOf(value, forgotten) as Value;

function valueOf(value: unknown, forgotten: Forgotten, isNotice = false): unknown {
  if (typeof value === "string") return withoutNames(value, forgotten, { isNotice });
  if (Array.isArray(value)) return value.map((item) => valueOf(item, forgotten, isNotice));
  if (typeof value !== "object" || value === null) return value;
  const left = (name: string, column: unknown): unknown =>
    NAME_LISTS.includes(name)
      ? leftOf(column as string[], forgotten)
      : valueOf(column, forgotten, NOTICES.includes(name));
  return Object.fromEntries(Object.entries(value).map(([name, column]) => [name, left(name, column)]));
}
