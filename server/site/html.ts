/** Text and times in the HTML of pages. */

export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** The start page's script turns it into `4 minutes ago`, unless it is `exact`. */
export function htmlTime(at: string, isExact = false): string {
  const text = escapeHtml(at.slice(0, 16).replace("T", " "));
  return `<time${isExact ? ' class="exact"' : ""} datetime="${escapeHtml(at)}">${text} UTC</time>`;
}

/** When the next refresh is due, or since when it has been. */
export const htmlDueTime = (at: string, now: Date): string =>
  Date.parse(at) < now.getTime() ? `overdue since ${htmlTime(at, true)}` : htmlTime(at);
