/** The cells of a section. */
import { CANCELLED, STATUS_NAMES } from "../charts/status-band.ts";
import { findAddress } from "../data/addresses.ts";
import { type SectionLine } from "../data/sections.ts";
import { accessNotes, restrictionsInWords } from "../data/glossary.ts";
import { reservedSeats, seatsLeft } from "../data/seats.ts";
import { countIn, formatFinal, formatMeeting, placeText, plural } from "../format.ts";
import { Explained } from "./explained.tsx";

const SHAPES: Readonly<Record<string, string>> = {
  OPEN: "●",
  Waitl: "◐",
  FULL: "○",
  NewOnly: "◆",
  [CANCELLED]: "✕",
};

/** A table has a button for these words only: it would be in the way of the keyboard beside each plain word. */
const UNCLEAR = new Set(["NewOnly", "Waitl"]);
const CLEAR_TYPES = new Set(["Lec", "Dis", "Lab", "Sem"]);

/**
 * A status as word and shape, with what a student needs to take a seat. `isPlain` where no button may be. An unknown
 * status is shown as the schedule writes it.
 */
export function Status({
  status,
  isCancelled,
  restrictions = "",
  isPlain = false,
}: Pick<SectionLine, "status" | "isCancelled"> & { readonly restrictions?: string; readonly isPlain?: boolean }) {
  const shown = isCancelled ? CANCELLED : status;
  const notes = isCancelled || status === "FULL" ? [] : accessNotes(restrictions);
  const word = (
    <span class={`status status-${shown in STATUS_NAMES ? shown : "other"}`}>
      {shown in SHAPES && <span aria-hidden="true">{SHAPES[shown]} </span>}
      {!isPlain && UNCLEAR.has(shown) ? (
        <Explained word={shown}>{STATUS_NAMES[shown]}</Explained>
      ) : (
        (STATUS_NAMES[shown] ?? shown)
      )}
    </span>
  );
  if (notes.length === 0) return word;
  return (
    <>
      {word} <small class="access">{notes.join(", ")}</small>
    </>
  );
}

/** `Lec A`; what the less usual types are is explained. */
export const SectionName = ({ section: { sectionType, sectionNum } }: { section: SectionLine }) =>
  CLEAR_TYPES.has(sectionType) ? (
    <>
      {sectionType} {sectionNum}
    </>
  ) : (
    <>
      <Explained word={sectionType} /> {sectionNum}
    </>
  );

/** `Restrictions: prerequisite required (A) and majors only (L)`. */
export const Restrictions = ({ letters }: { letters: string }) => (
  <>
    {letters.length === 1 ? "Restriction" : "Restrictions"}: {restrictionsInWords(letters)}
  </>
);

/** `7 of 20 on the waitlist`; undefined where empty. */
export function waitlistText({ numOnWaitlist, numWaitlistCap }: SectionLine): string | undefined {
  const waiting = countIn(numOnWaitlist);
  if (!waiting) return undefined;
  const most = countIn(numWaitlistCap);
  return most ? `${waiting} of ${most} on the waitlist` : `${waiting} on the waitlist`;
}

/** How many seats are taken, as numbers and a bar. */
export function SeatBar({ section: { numCurrentlyEnrolled, maxCapacity } }: { section: SectionLine }) {
  const [taken, all] = [Number(numCurrentlyEnrolled.totalEnrolled), Number(maxCapacity)];
  const width = `${Math.min(100, all > 0 ? (100 * taken) / all : 100)}%`;
  return (
    <>
      <span class="seats">
        {numCurrentlyEnrolled.totalEnrolled || "?"} / {maxCapacity || "?"}
      </span>
      <span class={taken >= all ? "meter is-full" : "meter"} aria-hidden="true">
        <span class="fill" style={{ width }} />
      </span>
    </>
  );
}

/** `12 of 30 free seats are for new students`; undefined where none are. */
export function reservedText(section: SectionLine): string | undefined {
  const reserved = reservedSeats(section);
  if (reserved === 0 || section.status === "NewOnly") return undefined;
  return `${reserved} of ${plural(seatsLeft(section, true) ?? 0, "free seat")} for new students`;
}

export function Seats({ section }: { section: SectionLine }) {
  return (
    <>
      <SeatBar section={section} />
      {[waitlistText(section), reservedText(section)].map(
        (text) => text !== undefined && <small key={text}>{text}</small>,
      )}
    </>
  );
}

/** A building links to what else meets there. */
export function Place({ label }: { label: string }) {
  const text = placeText(label);
  if (text !== label) return <>{text}</>;
  const [, building = "", room = ""] = /^(\S+) (\S+)$/.exec(label) ?? [];
  return building === "" ? <>{label}</> : <a href={findAddress({ building })}>{`${building} ${room}`}</a>;
}

export const Meetings = ({ meetings }: SectionLine) => (
  <>
    {meetings.map((meeting) => {
      const places = meeting.bldg.filter((label) => label !== "TBA");
      return (
        <div class="meeting">
          <span>{formatMeeting(meeting).at}</span>{" "}
          <span class="quiet">
            {places.length === 0 && !meeting.timeIsTBA && "place TBA"}
            {places.map((label, i) => (
              <>
                {i > 0 && ", "}
                <Place label={label} />
              </>
            ))}
          </span>
        </div>
      );
    })}
  </>
);

export function Final({ finalExam }: SectionLine) {
  const text = formatFinal(finalExam);
  if (finalExam.examStatus !== "SCHEDULED_FINAL") return <span class="quiet no-final">{text}</span>;
  const places = (finalExam.bldg ?? []).filter((label) => label !== "TBA");
  return (
    <>
      {text} {places.length > 0 && <span class="quiet">{places.map(placeText).join(", ")}</span>}
    </>
  );
}
