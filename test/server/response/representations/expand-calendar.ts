/** A second reader of calendar files, by the letter of RFC 5545 and without ical.js: what it knows is weekly rules and exceptions. */
import type { ReadEvent } from "./read-calendar.ts";

const DAY_MS = 86_400_000;
const DAYS = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"];

const OFFSET = new Intl.DateTimeFormat("en-US", { timeZone: "America/Los_Angeles", timeZoneName: "longOffset" });

/** `20241003T230000` on campus, or in UTC with a `Z`. */
function timeOf(text: string): number {
  const [, year, month, day, hour, minute, second, zone] =
    /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(Z?)$/.exec(text) ?? [];
  const utc = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  if (zone === "Z") return utc;
  const at = (guess: number) => {
    const name = OFFSET.formatToParts(guess).find(({ type }) => type === "timeZoneName")?.value ?? "";
    return utc - Number(/[-+]\d\d/.exec(name)?.[0]) * 3_600_000;
  };
  return at(at(utc));
}

/** Every start of each event. */
export function eventsByHand(text: string): Pick<ReadEvent, "uid" | "starts" | "minutes">[] {
  const lines = text.replaceAll("\r\n ", "").split("\r\n");
  const events: Map<string, string[]>[] = [];
  let event: Map<string, string[]> | undefined;
  for (const line of lines) {
    const [, name = "", value = ""] = /^([A-Z-]+)[^:]*:(.*)$/s.exec(line) ?? [];
    if (line === "BEGIN:VEVENT") events.push((event = new Map()));
    else if (line === "END:VEVENT") event = undefined;
    else event?.set(name, [...(event.get(name) ?? []), value]);
  }
  return events.map((properties) => {
    const one = (name: string) => properties.get(name)?.[0] ?? "";
    const [first, end] = [one("DTSTART"), one("DTEND")];
    const excepted = new Set((properties.get("EXDATE") ?? []).flatMap((value) => value.split(",")));
    const rule = new Map(
      one("RRULE")
        .split(";")
        .map((part) => part.split("=") as [string, string]),
    );
    const until = rule.has("UNTIL") ? timeOf(rule.get("UNTIL") ?? "") : timeOf(first);
    const days = rule.get("BYDAY")?.split(",");
    const starts: Date[] = [];
    // The first start is one whatever the rule says.
    for (let day = Date.parse(`${first.slice(0, 4)}-${first.slice(4, 6)}-${first.slice(6, 8)}`); ; day += DAY_MS) {
      const local = `${new Date(day).toISOString().slice(0, 10).replaceAll("-", "")}${first.slice(8)}`;
      const time = timeOf(local);
      if (time > until) break;
      const isMeant = local === first || days?.includes(DAYS[new Date(day).getUTCDay()] ?? "");
      if (isMeant && !excepted.has(local)) starts.push(new Date(time));
    }
    return { uid: one("UID"), starts, minutes: (timeOf(end) - timeOf(first)) / 60_000 };
  });
}
