/** The week of today, and behind it what the calendar has next. */
import { useContext, useRef } from "preact/hooks";
import { addressOf } from "../data/addresses.ts";
import { type CalendarEntry, comingDates, SiteContext } from "../data/terms.ts";
import { useJson } from "../data/use-json.ts";
import { weekday } from "../format.ts";

const MAX_DATES = 6;

/** `Week 9 • Fall Quarter 2026`. */
export const useWeekText = (): string | undefined =>
  useJson<[{ display: string }]>([addressOf("/week")]).value?.[0].display;

/** A list of events with their days. */
export const DateLines = ({ dates }: { dates: readonly CalendarEntry[] }) => (
  <ul class="lines">
    {dates.map(({ date, what }) => (
      <li>
        {what}{" "}
        <time class="quiet" dateTime={date}>
          {weekday(date)}
        </time>
      </li>
    ))}
  </ul>
);

export function Week() {
  const text = useWeekText();
  const dates = comingDates(useContext(SiteContext)).slice(0, MAX_DATES);
  const menu = useRef<HTMLDetailsElement>(null);
  const close = () => {
    if (menu.current) menu.current.open = false;
  };
  const [week = ""] = text?.split(" • ", 1) ?? [];
  if (text === undefined || dates.length === 0) return <span class="week">{text}</span>;
  return (
    <details
      ref={menu}
      class="week"
      onKeyDown={({ key }) => {
        if (key !== "Escape") return;
        close();
        menu.current?.querySelector("summary")?.focus();
      }}
      onFocusOut={({ relatedTarget }) => {
        if (!menu.current?.contains(relatedTarget as Node | null)) close();
      }}
    >
      <summary>
        {week}
        <span class="terms">{text.slice(week.length)}</span>
      </summary>
      <div class="dates">
        <DateLines dates={dates} />
      </div>
    </details>
  );
}
