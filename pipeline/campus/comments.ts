/** Comments of sections and of the headings above them: HTML with the template's white space, as the real system keeps it. */
import { draw, hashText } from "./random.ts";
import type { CampusSection } from "./section.ts";

/** The template's indentation around a comment. */
const inTemplate = (html: string): string => `\n\t\t\t    <p>${html}</p>\n\t\t\t    `;

const escapeMarkup = (text: string): string => text.replaceAll("&", "&amp;");

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

/** Two schools in three have a comment; some are long. */
function schoolComment(school: string): string {
  const kind = hashText(school) % 3;
  if (kind === 0) return "";
  const rules =
    "<p><b>DEADLINES:</b> The school keeps strictly to the campus deadline of <b>5:00pm on Friday of week 2</b> for adding, dropping and changing the grade option.</p> ";
  return ` ${rules.repeat(kind)}<p>Questions &amp; waivers: <a href="https://students.example.edu/">https://students.example.edu/</a></p> `;
}

/** What stands above a department's sections. */
export interface DepartmentComments {
  readonly schoolComment: string;
  readonly comment: string;
  /** Notes on ranges of section codes and of course numbers. */
  readonly codeComments: readonly RangeComment[];
  readonly numberComments: readonly RangeComment[];
}

type RangeComment = readonly [from: string, to: string, html: string];

interface Department {
  readonly code: string;
  readonly name: string;
  readonly school: string;
  readonly seed: number;
  readonly firstCode: number;
}

/** One department in three has a comment, a few have notes. */
export function departmentComments({ code, name, school, seed, firstCode }: Department): DepartmentComments {
  const codes = [firstCode, firstCode + 99].map((bound) => String(bound).padStart(5, "0")) as [string, string];
  return {
    schoolComment: schoolComment(school),
    comment:
      draw(seed, 98) >= 0.35
        ? ""
        : inTemplate(
            `${escapeMarkup(name)}: <i>always</i> check a course's restrictions before enrolling. ${escapeMarkup(code)} wait lists close in week 2.`,
          ),
    codeComments:
      draw(seed, 99) < 0.15 ? [[...codes, "<p>These sections have their own <b>authorization codes</b>.</p>"]] : [],
    numberComments:
      draw(seed, 100) < 0.15
        ? [["200", "299", "<p>Graduate students only; others ask the instructor &amp; the chair.</p>"]]
        : [],
  };
}
