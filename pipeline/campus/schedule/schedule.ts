/**
 * The schedule system: a single address that answers an empty request with its search form, and a filled form with XML,
 * a web page or plain text.
 */
import { parseTermCode } from "./term-codes.ts";
import type { CampusResponse, Params } from "../listening/response.ts";
import type { CampusTerm } from "../sections/term-calendar.ts";
import type { PageData } from "../page-data.ts";
import { readCriteria } from "./criteria.ts";
import { renderForm } from "./form.ts";
import { searchTerm } from "./search.ts";
import { renderWebResults, sentence } from "./web-results.ts";
import { renderXml } from "./xml.ts";

/** `Display XML Results`, or just `XML`; the same for Text and Web. */
const SUBMIT = /^(?:Display )?(XML|Text|Web)(?: Results)?$/;

export function answerSchedule(world: PageData, params: Params): CampusResponse {
  const kind = SUBMIT.exec(params.get("Submit") ?? "")?.[1];
  const terms = world.terms();
  if (kind === undefined)
    return { status: 200, type: "text/html; charset=utf-8", body: renderForm(terms, world.departments) };
  const criteria = readCriteria(params);
  if ("refused" in criteria) return sentence(criteria.refused);
  const code = params.get("YearTerm")?.trim();
  const newest = terms.at(-1) as CampusTerm;
  const term = code ? terms.find((offered) => offered.code === code) : newest;
  const views = term ? searchTerm(world.term(term.year, term.quarter), criteria, world.hour()) : [];
  const shown = term ?? unknownTerm(code as string, newest);
  if (kind === "XML")
    return {
      status: 200,
      type: "text/xml; charset=UTF-8",
      body: renderXml(views, criteria, params, shown, world.today()),
    };
  const page = renderWebResults(views, shown);
  return kind === "Web"
    ? page
    : { status: 200, type: "text/plain; charset=utf-8", body: String(page.body).replace(/<[^>]*>/g, " ") };
}

/** A term that is not offered has no sections; the answer still repeats it. */
function unknownTerm(code: string, like: CampusTerm): CampusTerm {
  return { ...like, ...parseTermCode(code), code };
}
