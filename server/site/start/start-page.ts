/** The start page's HTML as far as it needs no script; `browser/` does the rest. */
import { BASE } from "../../response/endpoint.ts";
import type { Endpoint } from "../../response/endpoint.ts";
import type { Snapshot } from "../../snapshot/snapshot.ts";
import type { Store } from "../../snapshot/store.ts";
import { OWN_ASSETS, SQL_FILES } from "./assets.ts";
import { escapeMarkup as escape } from "../../response/escape-markup.ts";
import { htmlDueTime, htmlTime as time } from "../html.ts";
import { freshnessOf, contentsOf, isSample, termsOf } from "./contents.ts";

/** Example queries; `term` is a published one. */
const EXAMPLES: Readonly<Record<string, (term: { year: string; quarter: string }) => string>> = {
  "/schedule": ({ year, quarter }) => `?year=${year}&quarter=${quarter}&department=COMPSCI`,
  "/grades/aggregateByOffering": () => "?department=COMPSCI",
  "/grades/aggregate": () => "?department=COMPSCI&courseNumber=161",
  "/grades/options": () => "?department=COMPSCI",
  "/grades/raw": () => "?department=COMPSCI&excludePNP=true",
  "/courses": () => "?department=COMPSCI&courseLevel=UpperDiv",
  "/search": () => "?q=ics+46",
  "/instructors": () => "?titleContains=Lecturer",
  "/larc": ({ year, quarter }) => `?year=${year}&quarter=${quarter}`,
  "/enrollmentHistory": ({ year, quarter }) => `?year=${year}&quarter=${quarter}&department=COMPSCI`,
};

const number = (value: number): string => value.toLocaleString("en-US");
const size = (bytes: number): string =>
  bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
/** A wide table scrolls in its own box. */
const table = (content: string): string => `<div class="scroll" tabindex="0"><table>${content}</table></div>`;

function freshness(store: Store): string {
  const rows = freshnessOf(store).map(
    ({ name, at }) => `<tr><th scope="row">${name}</th><td>${at ? time(at) : "not refreshed yet"}</td></tr>`,
  );
  const { nextRefresh } = store.freshness();
  const next = nextRefresh ? `<p class="quiet">Next refresh: ${htmlDueTime(nextRefresh, new Date())}.</p>` : "";
  return `${table(`<caption>Last successful refresh of each product</caption>
<thead><tr><th scope="col">Product</th><th scope="col">Last refresh</th></tr></thead><tbody>${rows.join("")}</tbody>`)}${next}`;
}

function tables(snapshot: Snapshot): string {
  const rows = contentsOf(snapshot).map(
    ({ table, about, rows: count, bytes }) =>
      `<tr><th scope="row"><code>${table}</code><span class="quiet">${escape(about).replaceAll("`", "")}</span></th><td class="number">${number(count)}</td><td class="number">${size(bytes)}</td></tr>`,
  );
  return table(`<caption>The published tables</caption>
<thead><tr><th scope="col">Table</th><th scope="col" class="number">Rows</th><th scope="col" class="number">Parquet</th></tr></thead><tbody>${rows.join("")}</tbody>`);
}

function state(store: Store): string {
  const snapshot = store.current();
  if (!snapshot) return '<p class="banner" role="note">No data has been published yet.</p>';
  const { generation, createdAt } = snapshot.generation.manifest;
  const terms = termsOf(snapshot);
  const span = terms.length === 0 ? "No term" : `${terms.length} terms, ${terms.at(-1)} to ${terms[0]}`;
  return `<p>${escape(span)}. Snapshot <code>${snapshot.id}</code>, generation ${generation}, built ${time(createdAt)}.</p>
<div class="beside"><div>${freshness(store)}</div><div>${tables(snapshot)}</div></div>`;
}

function endpointTable(store: Store, endpoints: readonly Endpoint[]): string {
  const term = store.current()?.publishedTerms("sections")[0] ?? { year: "2024", quarter: "Fall" };
  const rows = endpoints.map(({ path, summary }) => {
    const shown = `<code>${escape(BASE + path)}</code>`;
    const link = path.includes(":")
      ? shown
      : `<a href="${escape(`${BASE}${path}${EXAMPLES[path]?.(term) ?? ""}`)}">${shown}</a>`;
    return `<tr><th scope="row">${link}</th><td>${escape(summary)}</td></tr>`;
  });
  return `<table class="stacked"><caption>Every endpoint, linked to an example</caption><tbody>${rows.join("\n")}</tbody></table>`;
}

const SAMPLE = `<p class="banner" role="note"><strong>This is the sample campus.</strong> People, courses and numbers are invented; nothing here describes a real university.</p>`;

export function startPage(
  store: Store,
  endpoints: readonly Endpoint[],
  links: readonly (readonly [path: string, name: string])[],
): string {
  const snapshot = store.current();
  const terms = snapshot ? termsOf(snapshot).join(",") : "";
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Academic Data REST Service</title>
<link rel="icon" href="${OWN_ASSETS}/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${OWN_ASSETS}/start.css">
<script type="module" src="${OWN_ASSETS}/start.js"></script>
</head>
<body data-terms="${escape(terms)}">
<a class="skip" href="#view">Skip to the result</a>
<header>
<p class="name"><a href="/">Academic Data REST Service</a></p>
<nav aria-label="Parts of this page"><a href="#sql">SQL</a><a href="#contents">Data</a><a href="#endpoints">Endpoints</a>${links
    .filter(([, name]) => name === "Reference")
    .map(([path, name]) => `<a href="${path}">${name}</a>`)
    .join("")}</nav>
</header>
<main>
${snapshot && isSample(snapshot) ? SAMPLE : ""}
<div id="intro">
<h1>Classes, grades, people</h1>
<p class="lead">Read-only data of a university: schedule of classes, grade statistics, courses, instructors, enrollment. As JSON, and as Parquet for SQL.</p>
</div>
<form id="search" action="/" method="get" role="search">
<label for="q">Course, instructor, department or section code</label>
<div class="field"><input id="q" name="q" type="search" autocomplete="off" autocapitalize="off" spellcheck="false" maxlength="200" placeholder="ICS 46, a name, 35900" aria-describedby="searchHelp" role="combobox" aria-autocomplete="list" aria-expanded="false" aria-controls="suggestions"><ul id="suggestions" class="suggestions" role="listbox" aria-label="Suggestions" hidden></ul><button type="submit">Search</button></div>
<p id="searchHelp" class="quiet">Suggestions appear while you type; choose one with the arrow keys and Enter.</p>
<noscript><p class="banner">The search needs JavaScript. The endpoints below work without it.</p></noscript>
</form>
<p id="news" class="hidden" role="status"></p>
<section id="view" tabindex="-1" aria-label="Result"></section>
<section id="sql" aria-labelledby="sqlTitle">
<h2 id="sqlTitle">Query with SQL</h2>
<p>Runs in your browser over the published Parquet files; the server only sends the files. <span class="quiet">The database (DuckDB, about 7 MB compressed) and a Parquet reader (under 2 MB) are downloaded with the first statement.</span></p>
<div id="sqlBox" data-files="${SQL_FILES}"></div>
</section>
<section id="contents" aria-labelledby="contentsTitle">
<h2 id="contentsTitle">Contents</h2>
${state(store)}
</section>
<section id="endpoints" aria-labelledby="endpointsTitle">
<h2 id="endpointsTitle">For programs</h2>
<p>This page uses only these endpoints. ${links.map(([path, name]) => `<a href="${path}">${name}</a>`).join(", ")}.</p>
${endpointTable(store, endpoints)}
</section>
</main>
</body>
</html>
`;
}
