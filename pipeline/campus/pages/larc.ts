/** The learning center's tutorials: one page for a term, a card for a course, a row for each tutorial. */
import type { CampusResponse } from "../response.ts";
import { courseName, type CampusCourse } from "../courses.ts";
import { escapeHtml, htmlResponse } from "../html.ts";
import { fullName } from "../people.ts";
import { draw, hashText, mix, pick } from "../random.ts";
import { SIZE_PLANS } from "../sizes.ts";
import type { CampusTerm } from "../term-calendar.ts";
import type { CampusWorld } from "../world.ts";

/** Tutorials have been listed since this year. */
const FIRST_YEAR = "2019";
const DAYS = ["Mon/Wed", "Tue/Thu", "Mon", "Wed", "Fri", "Tue", "Thu", "Mon/Wed/Fri"] as const;
const TIMES = ["9:00 - 10:50 AM", "11:00 AM - 12:50 PM", "1:00 - 2:50 PM", "3:00 - 4:50 PM", "5:00 - 6:50 PM"] as const;
const PLACES = ["Online", "RH 114", "SH 270", "ALP 1300"] as const;

/** `202392,s1`: year and a suffix that has changed over the years; there is none for the ten-week session. A term without tutorials is an empty page. */
export function serveLarc(world: CampusWorld, rest: string): CampusResponse {
  const term = world.terms().find((offered) => addressOf(offered) === rest);
  const cards = term === undefined ? [] : tutoredCourses(world, term).map((course) => card(world, term, course));
  const body = cards.length > 0 ? cards.join("\n") : "<p>No tutorials are listed for this term.</p>";
  return htmlResponse("Tutorials", `<div class="container">\n<h1>Tutorials</h1>\n${body}\n</div>`);
}

function addressOf({ year, quarter }: CampusTerm): string | undefined {
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

/** Large lower-division courses; a few in summer. */
export function tutoredCourses({ courses, size, seed }: CampusWorld, term: CampusTerm): CampusCourse[] {
  const count = Math.ceil(SIZE_PLANS[size].tutorials / (term.summer ? 3 : 1));
  const termSeed = mix(seed, hashText(term.code));
  return courses
    .flat()
    .filter((course) => course.kind === "lecture" && course.offered && course.digits < 100)
    .map((course) => ({ course, rank: draw(mix(course.seed, termSeed), 141) }))
    .sort((a, b) => a.rank - b.rank)
    .slice(0, count)
    .map(({ course }) => course);
}

function card(world: CampusWorld, term: CampusTerm, course: CampusCourse): string {
  const seed = mix(course.seed, hashText(term.code));
  const twin = course.mirrorOf ?? course.mirroredBy;
  const also = twin ? ` (same as ${courseName(twin)})` : "";
  const count = 1 + Math.floor(draw(seed, 142) * 4);
  const rows = Array.from({ length: count }, (_, i) => tutorial(world, course, mix(seed, i)));
  return `<div class="card tutorial-group">
<div class="card-header">
  ${escapeHtml(`${courseName(course)}${also} - Tutorial (${course.title.replace(/[()]/g, "")})`)}
</div>
<div class="card-body">
${rows.join("\n")}
</div>
</div>`;
}

function tutorial(world: CampusWorld, course: CampusCourse, seed: number): string {
  const staff = (world.people[course.department.index] ?? []).filter(({ netid }) => netid === undefined);
  const tutor = fullName(pick(staff, draw(seed, 143)));
  return `<div class="list-group">
<div class="list-group-item"><div class="row">
${columns(pick(DAYS, draw(seed, 144)), pick(TIMES, draw(seed, 145)))}
${columns(tutor, pick(PLACES, draw(seed, 146)))}
<div class="col-lg-4"><a class="btn" href="#">Enroll</a></div>
</div></div>
</div>`;
}

const columns = (left: string, right: string): string => `<div class="col-lg-4"><div class="row">
<div class="col">${escapeHtml(left)}</div>
<div class="col">${escapeHtml(right)}</div>
</div></div>`;
