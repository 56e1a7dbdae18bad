/** Comments of departments and of their schools. */
import { escapeMarkup, inTemplate } from "./comment-template.ts";
import { draw, hashText } from "../random.ts";

/** Two schools in three have a comment; some are long. */
function schoolComment(school: string): string {
  const kind = hashText(school) % 3;
  if (kind === 0) return "";
  const rules =
    "<p><b>DEADLINES:</b> The school keeps strictly to the campus deadline of <b>5:00pm on Friday of week 2</b> for adding, dropping and changing the grade option.</p> ";
  return ` ${rules.repeat(kind)}<p>Questions &amp; waivers: <a href="https://students.example.edu/">https://students.example.edu/</a></p> `;
}

/** The comments above a department's sections. */
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
