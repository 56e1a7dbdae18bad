/** Comments of sections. */
import { escapeMarkup, inTemplate } from "./comment-template.ts";
import { draw } from "../random.ts";
import type { CampusSection } from "./section.ts";

/** The marker of a cancelled section, with the spacings and spellings that occur. */
const CANCELLED_MARKERS = [
  "***  CANCELLED  ***",
  "*** CANCELLED ***",
  "***CANCELLED***",
  "***  CANCELED  ***",
] as const;

/** Notes that a few sections carry. */
const NOTES = [
  "Contact the department for an authorization code.",
  "Meets in weeks 1 &amp; 6 only.",
  'See the <a href="https://classes.example.edu/notes.html?a=1&amp;b=2">class site</a>.',
  "Attendance at <b>both</b> meetings is <i>required</i>.",
  "No meetings are cancelled for the holiday.",
] as const;
const NOTE_SHARE = 0.06;

export function sectionComment(section: CampusSection, cancelled: boolean): string {
  const { partner, seed } = section;
  let comment = "";
  if (partner) {
    const { department, course } = partner.offering;
    comment += inTemplate(
      `Same as ${partner.codeText} (${escapeMarkup(department.code)} ${course.number}, ${partner.type} ${partner.num}).`,
    );
  } else if (draw(seed, 94) < NOTE_SHARE) {
    const note = NOTES[Math.floor(draw(seed, 95) * NOTES.length)] as string;
    comment += draw(seed, 96) < 0.8 ? inTemplate(note) : note;
  }
  if (!cancelled) return comment;
  const x = draw(section.planSeed, 97);
  const marker = CANCELLED_MARKERS[x < 0.7 ? 0 : 1 + Math.floor(((x - 0.7) / 0.3) * 3)] as string;
  return `\n\t\t\t    <p>${marker}${x < 0.6 ? ` Course Code ${section.codeText}` : ""}</p>\n\t\t\t    \n                ${comment}`;
}
