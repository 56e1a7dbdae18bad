/** Reads the campus's schedule answers with an XML parser of its own, for tests. */
import { SaxesParser } from "saxes";

/** A section as an answer shows it, with the headings above it. Repeated elements are lists. */
export interface ShownSection {
  school: string;
  department: string;
  departmentName: string;
  courseNumber: string;
  courseTitle: string;
  fields: Map<string, string[]>;
}

/** @throws Error when the text is not well-formed */
export function readSections(xml: string): ShownSection[] {
  const sections: ShownSection[] = [];
  const above = { school: "", department: "", departmentName: "", courseNumber: "", courseTitle: "" };
  let fields: Map<string, string[]> | undefined;
  let text = "";
  const parser = new SaxesParser();
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("opentag", ({ name, attributes }) => {
    text = "";
    if (name === "school") above.school = attributes.school_name as string;
    if (name === "department") {
      above.department = attributes.dept_code as string;
      above.departmentName = attributes.dept_name as string;
    }
    if (name === "course") {
      above.courseNumber = attributes.course_number as string;
      above.courseTitle = attributes.course_title as string;
    }
    if (name === "section") fields = new Map();
  });
  parser.on("text", (part) => void (text += part));
  parser.on("cdata", (part) => void (text += part));
  parser.on("closetag", ({ name }) => {
    if (name === "section" && fields) {
      sections.push({ ...above, fields });
      fields = undefined;
    } else if (fields) fields.set(name, [...(fields.get(name) ?? []), text]);
    text = "";
  });
  parser.write(xml).close();
  return sections;
}

/** The only value of a field, or "". */
export const fieldOf = (section: ShownSection, field: string): string => section.fields.get(field)?.[0] ?? "";

export type Search = Record<string, string>;

/** Asks for XML with comments and finals, cancelled sections included. */
export async function askXml(url: string, search: Search): Promise<string> {
  const form = {
    Submit: "Display XML Results",
    ShowComments: "on",
    ShowFinals: "on",
    CancelledCourses: "Include",
    ...search,
  };
  const response = await fetch(`${url}?${new URLSearchParams(form)}`);
  if (response.status !== 200) throw new Error(`status ${response.status}`);
  return response.text();
}

/** The sections that a search finds. */
export async function search(url: string, fields: Search): Promise<ShownSection[]> {
  return readSections(await askXml(url, fields));
}

export const codesOf = (sections: readonly ShownSection[]): string[] =>
  sections.map((section) => fieldOf(section, "course_code"));
