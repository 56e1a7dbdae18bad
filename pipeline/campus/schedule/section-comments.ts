/** Comments of sections and of the headings above them: HTML with the template's white space, as the real system keeps it. */
import type { CampusDepartment } from "../departments.ts";
import { draw, hashText } from "../random.ts";
import type { CampusSection } from "../section.ts";
import { inTemplate } from "./xml-text.ts";

const escapeMarkup = (text: string): string => text.replaceAll("&", "&amp;");

/** The marker of a cancelled section, with the spacings and spellings that occur. */
const CANCELLED_MARKERS = [
  "***  CANCELLED  ***",
  "*** CANCELLED ***",
  "***CANCELLED***",
  "***  CANCELED  ***",
] as const;

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

/** Two schools in three have a comment; some are long. */
export function schoolComment(school: string): string {
  const kind = hashText(school) % 3;
  if (kind === 0) return "";
  const rules =
    "<p><b>DEADLINES:</b> The school keeps strictly to the campus deadline of <b>5:00pm on Friday of week 2</b> for adding, dropping and changing the grade option.</p> ";
  return ` ${rules.repeat(kind)}<p>Questions &amp; waivers: <a href="https://students.example.edu/">https://students.example.edu/</a></p> `;
}

export function departmentComment({ code, name, seed }: CampusDepartment): string {
  if (draw(seed, 98) >= 0.35) return "";
  return inTemplate(
    `${escapeMarkup(name)}: <i>always</i> check a course's restrictions before enrolling. ${escapeMarkup(code)} wait lists close in week 2.`,
  );
}

/** Notes on ranges of section codes and of course numbers: [from, to, text]. */
export function rangeComments(department: CampusDepartment): {
  codes: readonly RangeComment[];
  numbers: readonly RangeComment[];
} {
  const { seed, firstCode } = department;
  const codes: RangeComment[] =
    draw(seed, 99) < 0.15
      ? [
          [
            String(firstCode).padStart(5, "0"),
            String(firstCode + 99).padStart(5, "0"),
            "<p>These sections have their own <b>authorization codes</b>.</p>",
          ],
        ]
      : [];
  const numbers: RangeComment[] =
    draw(seed, 100) < 0.15
      ? [["200", "299", "<p>Graduate students only; others ask the instructor &amp; the chair.</p>"]]
      : [];
  return { codes, numbers };
}

type RangeComment = readonly [from: string, to: string, html: string];
