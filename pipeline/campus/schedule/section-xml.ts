/**
 * A section as XML, elements in the real system's order. This is the hot path of a crawl: it only concatenates, and
 * neither parses nor copies.
 */
import { draw } from "../random.ts";
import type { CampusMeeting, CampusSection, MeetingTime, Place } from "../sections/section.ts";
import type { SectionState } from "../sections/section-state.ts";
import type { CampusTerm } from "../sections/term-calendar.ts";
import { WEEKDAYS } from "../../contract/vocabulary.ts";
import { printDay, weekdayOf } from "../days.ts";
import { isOnline, type SectionView } from "./tests.ts";
import { commentElement, xmlText } from "./xml-text.ts";

/** The first year in which the schedule states how a section is taught. */
const MODALITY_SINCE = "2025";
/** The system lists a section's additional rooms sometimes beside the first, sometimes after all other meetings. */
const ROOMS_LAST_SHARE = 0.25;

export interface SectionXmlOptions {
  readonly term: CampusTerm;
  readonly showComments: boolean;
  readonly showFinals: boolean;
}

export function sectionXml({ section, state }: SectionView, options: SectionXmlOptions): string {
  const { term } = options;
  const { codeText } = section;
  // A field that does not apply holds the section's code.
  const orCode = (text: string): string => (text === "" ? codeText : text);
  let names = "";
  for (const name of state.instructors) names += `<instructor>${xmlText(name)}</instructor>\n`;
  return `<section>
<course_code>${codeText}</course_code>
<sec_type>${section.type}</sec_type>
<sec_num>${section.num}</sec_num>
<sec_units>${section.units}</sec_units>
${term.year >= MODALITY_SINCE ? `<sec_modality>${isOnline(section) ? "Online" : "In-Person"}</sec_modality>\n` : ""}<sec_instructors>
${names}</sec_instructors>
<sec_meetings>
${meetingsXml(section)}</sec_meetings>
${options.showFinals ? finalXml(state.final, section.seed) : ""}<sec_enrollment>
<sec_max_enroll>${state.capacity}</sec_max_enroll>
<sec_enrolled>${state.enrolled}</sec_enrolled>
${state.ownEnrolled === undefined ? "" : `<sec_xlist_subenrolled>${state.ownEnrolled}</sec_xlist_subenrolled>\n`}<sec_enroll_requests>${state.requested}</sec_enroll_requests>
<sec_new_only_reserved>${orCode(state.newOnly)}</sec_new_only_reserved>
<sec_waitlist>${orCode(state.waitlist)}</sec_waitlist>
<sec_wait_cap>${orCode(state.waitlistCapacity)}</sec_wait_cap>
</sec_enrollment>
${section.restrictions === "" ? "" : `<sec_restrictions>${section.restrictions}</sec_restrictions>\n`}<sec_books>https://books.example.edu/?term=${term.code}&amp;code=${codeText}</sec_books>
<sec_graded>${section.main ? 1 : 0}</sec_graded>
<sec_linkage>
<sec_backward_ptr>00000</sec_backward_ptr>
<sec_group_backward_ptr>00000</sec_group_backward_ptr>
<sec_forward_ptr>00000</sec_forward_ptr>
<sec_group_forward_ptr>00000</sec_group_forward_ptr>
</sec_linkage>
${state.statusMissing ? "" : `<sec_status>${state.status}</sec_status>\n`}${section.partner ? `<sec_cross_list>\n<cross_course_code>${section.partner.codeText}</cross_course_code>\n</sec_cross_list>\n` : ""}<sec_active>1</sec_active>
${options.showComments ? commentElement("sec_comment", state.comment) : ""}</section>
`;
}

/** Repeats a meeting for every room. */
function meetingsXml(section: CampusSection): string {
  let first = "";
  let further = "";
  const roomsLast = draw(section.seed, 91) < ROOMS_LAST_SHARE;
  for (const meeting of section.meetings) {
    meeting.places.forEach((place, i) => {
      const xml = meetingXml(meeting, place);
      if (i > 0 && roomsLast) further += xml;
      else first += xml;
    });
  }
  return first + further;
}

const meetingXml = ({ days, time }: CampusMeeting, [building, room]: Place): string =>
  `<sec_meet>\n<sec_days>${days}</sec_days>\n<sec_time>${time ? printTime(time) : "TBA"}</sec_time>\n<sec_bldg>${building}</sec_bldg>\n<sec_room>${room}</sec_room>\n<sec_room_link>${
    building === "TBA" || building === "ON" || building === "VRTL"
      ? "TBA"
      : `https://rooms.example.edu/${building}/${room}`
  }</sec_room_link>\n</sec_meet>\n`;

const clock = (minutes: number, width: number): string =>
  `${String(Math.floor(minutes / 60) % 12 || 12).padStart(width)}:${String(minutes % 60).padStart(2, "0")}`;

/** ` 8:00- 8:50`, ` 3:30- 4:50p`: hours are two characters wide, and only the end says whether it is afternoon. */
export function printTime({ start, end }: MeetingTime): string {
  return `${clock(start, 2)}-${clock(end, 2)}${end >= 720 ? "p" : ""}`;
}

/** No element: no final. The date alone says TBA. A place follows `@` if it is not the section's room. */
function finalXml(final: SectionState["final"], seed: number): string {
  if (final === undefined) return "";
  if (final === "TBA") {
    const blanks = draw(seed, 92) < 0.5 ? "<sec_final_day></sec_final_day>\n<sec_final_time></sec_final_time>\n" : "";
    return `<sec_final>\n<sec_final_date>TBA</sec_final_date>\n${blanks}</sec_final>\n`;
  }
  const width = draw(seed, 93) < 0.12 ? 2 : 1;
  const places = final.places.map((place) => place.join(" ")).join(", ");
  const time = `${clock(final.start, width)}-${clock(final.end, width)}${final.end >= 720 ? "pm" : "am"}${places && ` @ ${places}`}`;
  return `<sec_final>\n<sec_final_date>${printDay(final.day)}</sec_final_date>\n<sec_final_day>${WEEKDAYS[weekdayOf(final.day)]}</sec_final_day>\n<sec_final_time>${time}</sec_final_time>\n</sec_final>\n`;
}
