/** Reads a calendar file as calendar programs do: with ical.js, which expands what recurs. */
import ICAL from "ical.js";

export interface ReadEvent {
  readonly uid: string;
  readonly summary: string;
  readonly location: string | null;
  readonly description: string;
  readonly status: string;
  readonly sequence: number;
  readonly starts: readonly Date[];
  readonly minutes: number;
}

/** Enough for any recurring event of a term. */
const MAX_OCCURRENCES = 1000;

const CAMPUS = new Intl.DateTimeFormat("sv-SE", {
  timeZone: "America/Los_Angeles",
  dateStyle: "short",
  timeStyle: "short",
});
/** `2024-09-26 14:00` on campus. */
export const seenByCampus = (time: Date): string => CAMPUS.format(time);

export function eventsIn(text: string): ReadEvent[] {
  const calendar = new ICAL.Component(ICAL.parse(text));
  for (const zone of calendar.getAllSubcomponents("vtimezone")) ICAL.TimezoneService.register(zone);
  return calendar.getAllSubcomponents("vevent").map((component) => {
    const event = new ICAL.Event(component);
    const starts: Date[] = [];
    const iterator = event.iterator();
    for (let next = iterator.next(); next && starts.length < MAX_OCCURRENCES; next = iterator.next())
      starts.push(next.toJSDate());
    return {
      uid: event.uid,
      summary: event.summary,
      location: event.location,
      description: event.description,
      status: String(component.getFirstPropertyValue("status")),
      sequence: event.sequence,
      starts,
      minutes: event.duration.toSeconds() / 60,
    };
  });
}

/** `2024-09-26 14:00–2024-09-26 15:20`, of every time that an event takes place. */
export const occurrencesOf = (
  events: readonly Pick<ReadEvent, "uid" | "starts" | "minutes">[],
  uid: string,
): string[] =>
  events
    .filter((event) => event.uid === uid)
    .flatMap(({ starts, minutes }) =>
      starts.map((start) => `${seenByCampus(start)}–${seenByCampus(new Date(start.getTime() + minutes * 60_000))}`),
    );
