/** Parses HTTP dates in their three formats (RFC 9110 §5.6.7). */

const MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec";
const SHORT_DAY = "(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)";
const LONG_DAY = "(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day";
const MONTH = `(?<month>${MONTHS.replace(/...(?=.)/g, "$&|")})`;
const TIME = "(?<time>\\d\\d:\\d\\d:\\d\\d)";

const FORMATS = [
  `${SHORT_DAY}, (?<day>\\d\\d) ${MONTH} (?<year>\\d{4}) ${TIME} GMT`,
  // These two are obsolete, but recipients must accept them.
  `${LONG_DAY}, (?<day>\\d\\d)-${MONTH}-(?<year>\\d\\d) ${TIME} GMT`,
  `${SHORT_DAY} ${MONTH} (?<day>[ \\d]\\d) ${TIME} (?<year>\\d{4})`,
].map((format) => new RegExp(`^${format}$`));

/** Returns milliseconds since 1970; undefined for anything that is not a date. */
export function parseHttpDate(text: string, now = new Date()): number | undefined {
  const parts = FORMATS.map((format) => format.exec(text)?.groups).find((groups) => groups !== undefined);
  if (!parts) return undefined;
  const { day = "", month = "", year = "", time = "" } = parts;
  const number = String(MONTHS.indexOf(month) / 3 + 1).padStart(2, "0");
  const date = `${year.length === 2 ? fullYear(Number(year), now) : year}-${number}-${day.replace(" ", "0")}`;
  const parsed = new Date(`${date}T${time}Z`);
  // Date rolls a nonexistent day of a month over into the next month.
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(date) ? parsed.getTime() : undefined;
}

/** Expands a two-digit year; one more than 50 years in the future is in the past. */
function fullYear(digits: number, now: Date): number {
  const year = Math.floor(now.getUTCFullYear() / 100) * 100 + digits;
  return year > now.getUTCFullYear() + 50 ? year - 100 : year;
}
