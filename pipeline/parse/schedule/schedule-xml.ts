/**
 * Parses the schedule system's XML into source records in a single pass; incomplete or malformed responses are
 * rejected.
 */
import { escapeText } from "entities";
import { SaxesParser, type SaxesTagPlain } from "saxes";
import {
  SCHEDULE_SYSTEM,
  type SchedulePage,
  type SourceCourse,
  type SourceDepartment,
  type SourceFinal,
  type SourceMeeting,
  type SourceSchool,
  type SourceSection,
} from "../../contract/schedule-page.ts";
import { QUARTER_CODES, type Term } from "../../contract/vocabulary.ts";
import { UpstreamBadResponse } from "../../errors.ts";
import { createUnknownFields, type UnknownField } from "../../contract/source-fields.ts";
import {
  COMMENTS,
  FINAL_TEXTS,
  isKnownInSchedule,
  isSchedulePlace,
  MEETING_TEXTS,
  newSection,
  SECTION_TEXTS,
} from "./schedule-elements.ts";
import { HTML_ENTITIES, toHtml, toPlainText } from "./schedule-text.ts";
import { beyondLimit, LIMITS } from "../../limits.ts";
import { createElementBounds } from "../element-bounds.ts";

/** Parses a response in chunks, so that a server can yield between them. */
export interface ScheduleReader {
  /** Parses the next piece. @throws UpstreamBadResponse */
  write(piece: string): void;
  /** Ends the response. @throws UpstreamBadResponse when it is truncated or for another term */
  close(): SchedulePage;
}

/**
 * Parses a response.
 * @throws UpstreamBadResponse when it is malformed, truncated, not a schedule, or for another term
 */
export function parseScheduleXml(xml: string, term: Term): SchedulePage {
  const reader = openScheduleReader(term);
  reader.write(xml);
  return reader.close();
}

/** Opens a reader. @param term the requested term */
export function openScheduleReader(term: Term): ScheduleReader {
  const schools: SourceSchool[] = [];
  let school: SourceSchool | undefined;
  let department: SourceDepartment | undefined;
  let course: SourceCourse | undefined;
  let section: SourceSection | undefined;
  let meeting: SourceMeeting | undefined;
  let final: SourceFinal | undefined;
  let sections = 0;
  const unknown = createUnknownFields();
  let departments = 0;
  /** Open elements with the number of rows before them, and the unknown fields in them. */
  const holders: { name: string; before: number; fields: Omit<UnknownField, "count">[] }[] = [];
  let echoedTerm = "";
  let hasTerm = false;
  let hasTail = false;
  let depth = 0;
  /** The text of the innermost open element; `markup` counts open unescaped HTML tags inside a comment. */
  let text = "";
  let inComment = false;
  let markup = 0;

  const parser = new SaxesParser<{ position: false; xmlns: false }>({ position: false, xmlns: false });
  parser.ENTITIES = HTML_ENTITIES;
  const bounds = createElementBounds(SCHEDULE_SYSTEM, "response", LIMITS.xml);
  parser.on("opentagstart", bounds.element);
  parser.on("attribute", bounds.attribute);

  /** The innermost open element whose children are known. */
  function placeOf(): string | undefined {
    if (meeting) return "sec_meet";
    if (final) return "sec_final";
    if (section) return "section";
    if (course) return "course";
    if (department) return "department";
    if (school) return "school";
    return depth === 1 ? "websoc_results" : undefined;
  }

  function noteUnknown({ name, attributes }: SaxesTagPlain): void {
    const place = placeOf();
    if (place !== undefined && !isKnownInSchedule("element", place, name)) hold({ kind: "element", place, name });
    if (!isSchedulePlace(name)) return;
    if (!isInSection(name)) holders.push({ name, before: rowsIn(name), fields: [] });
    for (const attribute of Object.keys(attributes))
      if (!isKnownInSchedule("attribute", name, attribute)) hold({ kind: "attribute", place: name, name: attribute });
  }

  /**
   * Counts a field once per holder, however often it occurs there: rows are counted, and meetings and finals are parts
   * of a row.
   */
  function hold(field: Omit<UnknownField, "count">): void {
    const holder = isInSection(field.place) ? "section" : field.place;
    const fields = holders.findLast((open) => open.name === holder)?.fields;
    if (fields?.every((other) => other.kind !== field.kind || other.place !== field.place || other.name !== field.name))
      fields.push(field);
    if ((fields?.length ?? 0) > LIMITS.xml.unknown)
      throw beyondLimit(SCHEDULE_SYSTEM, "response", LIMITS.xml.unknown, "unknown names");
  }

  /** Fields of a school or department occur in a row of each heading, fields of a course in each of its sections. */
  const rowsIn = (name: string): number => (name === "school" || name === "department" ? departments : sections);

  function countUnknown(name: string): void {
    if (holders.at(-1)?.name !== name) return;
    const { before, fields } = holders.pop() as (typeof holders)[number];
    for (const field of fields) unknown.add(field, Math.max(1, rowsIn(name) - before));
  }

  parser.on("opentag", (tag) => {
    bounds.enter();
    if (inComment) {
      markup++;
      text += toMarkup(tag);
      return;
    }
    const { name } = tag;
    const attribute = (key: string): string => toPlainText(tag.attributes[key] ?? "");
    if (depth === 0 && name !== "websoc_results") throw bad(`the response is <${name}>, not a schedule`);
    noteUnknown(tag);
    depth++;
    text = "";
    switch (name) {
      case "school":
        school = { name: attribute("school_name"), comment: "", departments: [] };
        schools.push(school);
        break;
      case "department":
        department = {
          code: attribute("dept_code"),
          name: attribute("dept_name"),
          comment: "",
          codeRangeComments: [],
          numberRangeComments: [],
          courses: [],
        };
        inside(school, name).departments.push(department);
        departments++;
        break;
      case "course":
        course = {
          number: attribute("course_number"),
          title: attribute("course_title"),
          comment: "",
          prerequisiteLink: "",
          sections: [],
        };
        inside(department, name).courses.push(course);
        break;
      case "section":
        section = newSection();
        inside(course, name).sections.push(section);
        sections++;
        break;
      case "sec_meet":
        meeting = { days: "", time: "", bldg: "", room: "" };
        inside(section, name).meetings.push(meeting);
        break;
      case "sec_final":
        final = { date: "", day: "", time: "" };
        inside(section, name).final = final;
        break;
      case "term":
        hasTerm = true;
        break;
      case "restriction_codes":
        hasTail = true;
        break;
      default:
        inComment = COMMENTS.has(name);
    }
  });

  // Inside unescaped tags, escape again what the XML parser has decoded, because it belongs to the HTML.
  parser.on("text", (piece) => void (text += markup > 0 ? escapeText(piece) : piece));
  parser.on("cdata", (piece) => void (text += piece));

  /** Actions at the end of an element: store its text, or mark it as closed. */
  const atEnd: ReadonlyMap<string, (name: string) => void> = new Map(
    Object.entries({
      instructor: (name) => inside(section, name).instructors.push(text),
      course_comment: (name) => (inside(course, name).comment = text),
      course_prereq_link: (name) => (inside(course, name).prerequisiteLink = text),
      department_comment: (name) => (inside(department, name).comment = text),
      course_code_range_comment: (name) => inside(department, name).codeRangeComments.push(text),
      course_number_range_comment: (name) => inside(department, name).numberRangeComments.push(text),
      school_comment: (name) => (inside(school, name).comment = text),
      term_yyyyst: () => (echoedTerm = text.replace(/\D/g, "")),
      sec_meet: () => (meeting = undefined),
      sec_final: () => (final = undefined),
      section: () => (section = undefined),
      course: () => (course = undefined),
      department: () => (department = undefined),
      school: () => (school = undefined),
    } satisfies Readonly<Record<string, (name: string) => void>>),
  );
  parser.on("closetag", (tag) => {
    bounds.leave();
    const { name } = tag;
    if (markup > 0) {
      markup--;
      if (!tag.isSelfClosing) text += `</${name}>`;
      return;
    }
    text = inComment ? toHtml(text) : toPlainText(text);
    inComment = false;
    depth--;
    countUnknown(name);
    const sectionText = SECTION_TEXTS.get(name);
    if (sectionText !== undefined) return void (inside(section, name)[sectionText[0]] = text);
    const meetingText = MEETING_TEXTS.get(name);
    if (meetingText !== undefined) return void (inside(meeting, name)[meetingText[0]] = text);
    const finalText = FINAL_TEXTS.get(name);
    if (finalText !== undefined) return void (inside(final, name)[finalText[0]] = text);
    atEnd.get(name)?.(name);
  });

  return {
    write: (piece) => strictly(() => void parser.write(piece)),
    close() {
      strictly(() => void parser.close());
      const asked = `${term.year}${QUARTER_CODES[term.quarter]}`;
      if (echoedTerm !== "" && echoedTerm !== asked) {
        throw bad(`the response is for term ${echoedTerm} instead of ${asked}`);
      }
      const fields = unknown.list();
      if (fields.length > LIMITS.xml.unknown)
        throw beyondLimit(SCHEDULE_SYSTEM, "response", LIMITS.xml.unknown, "unknown names");
      return { schools, sections, whole: hasTerm && hasTail, unknown: fields };
    },
  };
}

const isInSection = (place: string): boolean => place === "sec_meet" || place === "sec_final";

function strictly(work: () => void): void {
  try {
    work();
  } catch (error) {
    if (error instanceof UpstreamBadResponse) throw error;
    throw new UpstreamBadResponse(SCHEDULE_SYSTEM, "the response is not well-formed XML", { cause: error });
  }
}

const bad = (what: string): UpstreamBadResponse => new UpstreamBadResponse(SCHEDULE_SYSTEM, what);

function inside<Parent>(parent: Parent | undefined, name: string): Parent {
  if (parent === undefined) throw bad(`the response has a <${name}> out of place`);
  return parent;
}

const toMarkup = ({ name, attributes, isSelfClosing }: SaxesTagPlain): string =>
  `<${name}${Object.entries(attributes)
    .map(([key, value]) => ` ${key}="${value.replaceAll("&", "&amp;").replaceAll('"', "&quot;")}"`)
    .join("")}${isSelfClosing ? "/" : ""}>`;
