/** Pages: escaped text, and the furniture that real pages have around what matters. */
import type { CampusAnswer } from "./answer.ts";

/** Text as it stands between tags or in a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

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

export function htmlAnswer(title: string, body: string, status = 200): CampusAnswer {
  return { status, type: "text/html; charset=utf-8", body: htmlPage(title, body) };
}

export const notFound = (): CampusAnswer => htmlAnswer("Not Found", "<h1>Not Found</h1>", 404);
