/** The start page for people. */
import { BASE } from "../app.ts";
import type { Endpoint } from "../endpoint.ts";
import { type Pages, sendPage } from "../page.ts";
import type { Store } from "../store.ts";

const escape = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

export function createStartPage(store: Store, endpoints: readonly Endpoint[]): Pages {
  return {
    "/": ({ requestId }) => sendPage(requestId, 200, "text/html; charset=utf-8", startPage(store, endpoints)),
  };
}

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

function startPage(store: Store, endpoints: readonly Endpoint[]): string {
  const snapshot = store.current();
  const term = snapshot?.publishedTerms("sections")[0] ?? { year: "2024", quarter: "Fall" };
  const sources = Object.values(snapshot?.generation.manifest.source ?? {});
  const sample = sources.some((source) => source.startsWith("sample campus"));
  const rows = endpoints.map(({ path, summary }) => {
    const link = `${BASE}${path}${EXAMPLES[path]?.(term) ?? ""}`;
    const shown = path.includes(":")
      ? `<code>${escape(BASE + path)}</code>`
      : `<a href="${escape(link)}"><code>${escape(BASE + path)}</code></a>`;
    return `<tr><td>${shown}</td><td>${escape(summary)}</td></tr>`;
  });
  const state = snapshot
    ? `Snapshot <code>${snapshot.id}</code>, built ${escape(snapshot.generation.manifest.createdAt)}.`
    : "No data has been published yet.";
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Academic Data REST Service</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1a1a1a;background:#fff}
table{border-collapse:collapse;width:100%}td{border-top:1px solid #ddd;padding:.4rem .8rem .4rem 0;vertical-align:top}
.note{background:#fff4d6;padding:.6rem .8rem;border-radius:.3rem}@media(prefers-color-scheme:dark){body{background:#161616;color:#eee}a{color:#8ab4ff}.note{background:#4a3b00}td{border-color:#444}}</style></head>
<body><h1>Academic Data REST Service</h1>
<p>Schedule of classes, grade statistics, instructors, courses, the academic week, tutorials and enrollment history, as read-only JSON.</p>
${sample ? '<p class="note">This data comes from the <b>embedded sample campus</b>: people and numbers are invented.</p>' : ""}
<p>${state} <a href="/docs">Reference</a>, <a href="/v1/openapi.json">OpenAPI description</a>, <a href="/ready">readiness</a>.</p>
<table>${rows.join("\n")}</table></body></html>
`;
}
