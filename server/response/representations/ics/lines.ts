/** Formats lines of an iCalendar file (RFC 5545). */

const MAX_OCTETS = 75;
const CRLF = "\r\n";

/** Formats a property as a content line: folded at 75 octets, never inside a character (section 3.1). */
export function line(name: string, value: string): string {
  const whole = `${name}:${value}`;
  if (Buffer.byteLength(whole) <= MAX_OCTETS) return whole + CRLF;
  let folded = "";
  let octets = 0;
  for (const character of whole) {
    const size = Buffer.byteLength(character);
    if (octets + size > MAX_OCTETS) {
      folded += `${CRLF} `;
      octets = 1;
    }
    folded += character;
    octets += size;
  }
  return folded + CRLF;
}

/** Escapes a value of type TEXT (section 3.3.11), which must not contain control characters. */
export const text = (value: string): string =>
  value
    .replaceAll(/[\\;,]/g, String.raw`\$&`)
    .replaceAll(/\r?\n/g, String.raw`\n`)
    // oxlint-disable-next-line no-control-regex
    .replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f]/g, "");

export const component = (name: string, lines: readonly string[]): string =>
  [line("BEGIN", name), ...lines, line("END", name)].join("");

/** Formats a UTC time: `2026-12-05T07:59:59.000Z` → `20261205T075959Z`. */
export const utc = (time: Date): string => `${time.toISOString().replaceAll(/[-:]/g, "").slice(0, 15)}Z`;
