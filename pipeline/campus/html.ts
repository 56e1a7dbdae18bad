/** HTML pages: escaping, and the markup around the content of a real page. */
import type { CampusResponse } from "./listening/response.ts";
import { xmlText } from "./schedule/xml-text.ts";

export const escapeHtml = (text: string): string => xmlText(text).replaceAll('"', "&quot;");

export function htmlPage(title: string, body: string): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8" />
<title>${escapeHtml(title)} | Sample Campus</title>
</head>
<body>
<div id="header"><a href="/">Sample Campus</a></div>
${body}
<div id="footer">This university does not exist: its courses, people and figures are made up.</div>
</body>
</html>
`;
}

export function htmlResponse(title: string, body: string, status = 200): CampusResponse {
  return { status, type: "text/html; charset=utf-8", body: htmlPage(title, body) };
}

export const notFound = (): CampusResponse => htmlResponse("Not Found", "<h1>Not Found</h1>", 404);
