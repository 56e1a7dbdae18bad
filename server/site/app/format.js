export const count = (value) => value.toLocaleString("en-US");
export const plural = (value, one, many = `${one}s`) => `${count(value)} ${value === 1 ? one : many}`;
export const share = (part, whole) =>
  whole === 0 ? "0%" : `${((100 * part) / whole).toFixed(part * 20 < whole ? 1 : 0)}%`;
export const size = (bytes) => (bytes < 1e6 ? `${Math.ceil(bytes / 1000)} KB` : `${(bytes / 1e6).toFixed(1)} MB`);
/** `14:00` → `2:00 pm`. */
const clock = ({ hour, minute }) =>
  `${hour % 12 === 0 ? 12 : hour % 12}:${String(minute).padStart(2, "0")} ${hour % 24 < 12 ? "am" : "pm"}`;
/** `Tu Th 9:30 am–10:50 am` and `PCB 184`. */
export function formatMeeting({ timeIsTBA, days, startTime, endTime, bldg }) {
  const spaced = (days ?? "").replaceAll(/(Su|M|Tu|W|Th|F|Sa)(?=.)/g, "$1 ");
  const at = timeIsTBA || !startTime || !endTime ? "time TBA" : `${spaced} ${clock(startTime)}–${clock(endTime)}`;
  const where = bldg.filter((place) => place !== "TBA");
  return { at: at.trim(), where: where.length > 0 ? where.join(", ") : "place TBA" };
}
const UNITS = [
  [86400, "day"],
  [3600, "hour"],
  [60, "minute"],
];
/** `12 minutes ago`, `in 3 hours`. */
export function ago(date, now = new Date()) {
  const seconds = Math.round((date.getTime() - now.getTime()) / 1000);
  const [each, unit] = UNITS.find(([least]) => Math.abs(seconds) >= least) ?? [60, "minute"];
  return new Intl.RelativeTimeFormat("en", { numeric: "auto" }).format(Math.round(seconds / each), unit);
}
/** A point in time as `20 Nov 2026, 14:05`, in the reader's time zone. */
export const moment = (time) =>
  new Date(time).toLocaleString("en-GB", {
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
  });
/** `2026-11-20` → `20 Nov 2026`. */
export const day = (date) =>
  new Date(`${date}T00:00:00Z`).toLocaleDateString("en-GB", {
    day: "numeric",
    month: "short",
    year: "numeric",
    timeZone: "UTC",
  });
