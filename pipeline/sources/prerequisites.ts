/** The registrar's prerequisite pages: a form with all departments, and a table for each. */
import type { Tally } from "../contract/documents/tally.ts";
import type { Client } from "./client/http.ts";
import { readPage } from "./client/page-text.ts";
import { type Walked, walkPages } from "./client/page-walk.ts";

export interface PrerequisiteParsers<Row> {
  /** The form → department codes. */
  form(html: string): readonly string[];
  table(html: string): readonly Row[];
}

/**
 * Fetches the form and every department's table; rows in the order of the form. A `file:` address is a page with the
 * tables of all departments.
 * @throws UpstreamError when the form or every table fails; a single department is reported as damage and named in
 *   `damaged`
 */
export async function walkPrerequisites<Row>(
  client: Client,
  url: URL,
  parse: PrerequisiteParsers<Row>,
  tally: Tally,
): Promise<Walked<Row>> {
  if (url.protocol === "file:") return { pages: [...(await readPage(client, url, parse.table))], damaged: [] };
  const departments = await readPage(client, url, parse.form);
  const { pages, damaged } = await walkPages(
    departments,
    (dept) => `prerequisites of ${dept}`,
    (dept) => readPage(client, tableAddress(url, dept), parse.table),
    tally,
  );
  return { pages: pages.flat(), damaged };
}

function tableAddress(form: URL, department: string): URL {
  const address = new URL(form);
  address.searchParams.set("dept", department);
  address.searchParams.set("action", "view_all");
  return address;
}
