/** Times in the HTML of pages. */
import { escapeMarkup } from "../response/escape-markup.ts";

/** The start page's script turns it into `4 minutes ago`, unless it is `exact`. */
export function htmlTime(at: string, isExact = false): string {
  const text = escapeMarkup(at.slice(0, 16).replace("T", " "));
  return `<time${isExact ? ' class="exact"' : ""} datetime="${escapeMarkup(at)}">${text} UTC</time>`;
}

/** When the next refresh is due, or since when it has been. */
export const htmlDueTime = (at: string, now: Date): string =>
  Date.parse(at) < now.getTime() ? `overdue since ${htmlTime(at, true)}` : htmlTime(at);
