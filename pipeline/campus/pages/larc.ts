/** The learning center's tutorials: a page for a term, a card for a course, a row for each tutorial. */
import type { Term } from "../../contract/vocabulary.ts";
import type { CampusResponse } from "../listening/response.ts";
import { escapeHtml, htmlResponse } from "../html.ts";
import type { PageData } from "../page-data.ts";
import { parseTermCode } from "../schedule/term-codes.ts";
import type { TutoredCourse, Tutorial } from "../tutorials.ts";

/** Tutorials have been listed since this year. */
const FIRST_YEAR = "2019";

/**
 * `202392,s1`: year and a suffix that has changed over the years; the ten-week session has none. A term without
 * tutorials is an empty page.
 */
export function answerLarc(world: PageData, rest: string): CampusResponse {
  const term = parseTermCode(`${rest.slice(0, 4)}-${rest.slice(4, 6)}`);
  const cards = term && addressOf(term) === rest ? world.tutorials(term).map(card) : [];
  const body = cards.length > 0 ? cards.join("\n") : "<p>No tutorials are listed for this term.</p>";
  return htmlResponse("Tutorials", `<div class="container">\n<h1>Tutorials</h1>\n${body}\n</div>`);
}

function addressOf({ year, quarter }: Term): string | undefined {
  if (year < FIRST_YEAR) return undefined;
  const suffixes = {
    Winter: "03,1",
    Spring: "14,1",
    Summer1: "25,s1",
    Summer10wk: undefined,
    Summer2: "76,s2",
    Fall: year > "2022" ? "92,s1" : "92,1",
  };
  const suffix = suffixes[quarter];
  return suffix === undefined ? undefined : `${year}${suffix}`;
}

function card({ name, sameAs, title, tutorials }: TutoredCourse): string {
  const also = sameAs === "" ? "" : ` (same as ${sameAs})`;
  return `<div class="card tutorial-group">
<div class="card-header">
  ${escapeHtml(`${name}${also} - Tutorial (${title})`)}
</div>
<div class="card-body">
${tutorials.map(row).join("\n")}
</div>
</div>`;
}

const row = ({ days, time, tutor, place }: Tutorial): string => `<div class="list-group">
<div class="list-group-item"><div class="row">
${columns(days, time)}
${columns(tutor, place)}
<div class="col-lg-4"><a class="btn" href="#">Enroll</a></div>
</div></div>
</div>`;

const columns = (left: string, right: string): string => `<div class="col-lg-4"><div class="row">
<div class="col">${escapeHtml(left)}</div>
<div class="col">${escapeHtml(right)}</div>
</div></div>`;
