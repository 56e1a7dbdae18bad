/** `/docs`: the interactive reference, without requests to other hosts. */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { IMMUTABLE } from "../../response/headers.ts";
import { contentHash, serveStatic } from "../static-response.ts";
import type { Pages } from "../page.ts";
import { readBrowserCode } from "../start/browser-code.ts";

const { resolve } = createRequire(import.meta.url);
const fromPackage = (name: string) => () => readFile(resolve(`swagger-ui-dist/${name}`));
const readStart = async () => (await readBrowserCode())["reference.js"] ?? Buffer.of();

const SCRIPT = "text/javascript; charset=utf-8";

/** Name under `/docs/`, reader, media type. */
const FILES = {
  script: ["swagger-ui-bundle.js", fromPackage("swagger-ui-bundle.js"), SCRIPT],
  style: ["swagger-ui.css", fromPackage("swagger-ui.css"), "text/css; charset=utf-8"],
  start: ["reference.js", readStart, SCRIPT],
  icon: ["favicon.png", fromPackage("favicon-32x32.png"), "image/png"],
} as const;

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join("; ");

/** The page and its files; a file's URL contains its hash. */
export async function createReference(openApiPath: string): Promise<Pages> {
  const files = await Promise.all(
    Object.entries(FILES).map(async ([use, [name, read, type]]) => {
      const bytes = await read();
      const path = `/docs/${contentHash(bytes)}/${name}`;
      return { use, path, page: serveStatic({ bytes, type, cacheControl: IMMUTABLE }) };
    }),
  );
  const paths = Object.fromEntries(files.map(({ use, path }) => [use, path])) as Record<keyof typeof FILES, string>;
  const page = serveStatic({
    bytes: Buffer.from(toHtml(paths, openApiPath)),
    type: "text/html; charset=utf-8",
    cacheControl: "no-cache",
    headers: { "Content-Security-Policy": POLICY, "Referrer-Policy": "no-referrer" },
  });
  return { "/docs": page, "/docs/": page, ...Object.fromEntries(files.map(({ path, page }) => [path, page])) };
}

const toHtml = (
  { script, style, start, icon }: Record<keyof typeof FILES, string>,
  openApiPath: string,
) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Reference: Academic Data REST Service</title>
<link rel="icon" type="image/png" href="${icon}">
<link rel="stylesheet" href="${style}">
</head>
<body>
<main id="reference" data-openapi="${openApiPath}"></main>
<noscript><p>The reference needs JavaScript. The OpenAPI document is <a href="${openApiPath}">${openApiPath}</a>.</p></noscript>
<script src="${script}"></script>
<script src="${start}"></script>
</body>
</html>
`;
