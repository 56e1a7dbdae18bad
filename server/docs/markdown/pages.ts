/** `/llms.txt`, and a markdown page per endpoint, for programs that read text. */
import { BASE, type Endpoint } from "../../response/endpoint.ts";
import type { Page, Pages } from "../../pages/page.ts";
import { serveStatic } from "../../pages/content.ts";
import type { DocumentedParts } from "../../openapi/openapi.ts";
import type { CurrentTerm } from "../../pages/current-term.ts";
import { markdownPath, toMarkdown } from "./endpoint-page.ts";

/** Other addresses besides the endpoints. */
const OTHERS = {
  "/mcp": "Model Context Protocol: the same data as tools, with SQL over the published tables",
  "/v1/openapi.json": "OpenAPI description of everything",
  "/client.ts": "typed client in TypeScript",
  "/v1/data/manifest.json": "every published Parquet file, with the columns of every table",
  "/v1/snapshots": "the snapshots that `asOf` can name",
  "/status": "freshness, terms and rows",
} as const;

/** Lists links. The text of a link is the full address, because some programs request it literally. */
const toList = (base: string, links: readonly (readonly [name: string, path: string, about: string])[]): string =>
  links.map(([name, path, about]) => `- [${base}${name.slice(1)}](${base}${path.slice(1)}): ${about}`).join("\n");

const termText = (term: string | undefined): string =>
  term === undefined ? "" : `\n\nStudents are choosing classes for ${term}: use it if no term is named.`;

function toIndex(endpoints: readonly Endpoint[], base: string, term: string | undefined): string {
  const pages = endpoints.map((endpoint) => [BASE + endpoint.path, markdownPath(endpoint), endpoint.summary] as const);
  const others = Object.entries(OTHERS).map(([path, about]) => [path, path, about] as const);
  return `# Academic Data REST Service

> A university's public academic data as read-only JSON: the schedule of classes, grades, courses, instructors, calendar, enrollment.

All requests are GET. Values of parameters that are lists are separated by commas; the others take one value. Invalid values are a 400 that names what is allowed; unknown parameters and values are named in a \`Warning\` header with suggestions. Array responses take \`limit\` and \`offset\`, all JSON responses \`fields\` and \`asOf\`. \`finalExam.month\` is zero-based: January is 0.${termText(term)}

## Endpoints

${toList(base, pages)}

## Others

${toList(base, others)}
`;
}

/** Serves a text that is rendered on first use, because few of these pages are ever requested. */
const textPage = (type: string, make: () => string): Page =>
  serveStatic({
    bytes: () => Promise.resolve(Buffer.from(make())),
    type: `${type}; charset=utf-8`,
    cacheControl: "public, max-age=300",
  });

export function createMarkdownPages(
  { endpoints, documented }: DocumentedParts,
  base: string,
  currentTerm: CurrentTerm,
): Pages {
  const pages = endpoints.map((endpoint): [string, Page] => [
    markdownPath(endpoint),
    textPage("text/markdown", () => toMarkdown(endpoint, documented, base)),
  ]);
  // The term changes with the day and the snapshot.
  const index: Page = async (request) => {
    const term = await currentTerm();
    return textPage("text/plain", () => toIndex(endpoints, base, term))(request);
  };
  return { "/llms.txt": index, ...Object.fromEntries(pages) };
}
