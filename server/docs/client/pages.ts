/**
 * `/client.ts` and `/client.js`: the typed client of this server. `npm run -s client` writes that of the plain mode.
 */
import type { Page, Pages } from "../../pages/page.ts";
import { serveStatic } from "../../pages/content.ts";
import type { DocumentedPage } from "../../openapi/documented-page.ts";
import { type Language, readClient } from "./client.ts";

const CLIENTS = {
  ts: { type: "text/typescript", about: "The typed client in TypeScript; it needs only `fetch`" },
  js: { type: "text/javascript", about: "The same in JavaScript; `client.ts` beside it has the types" },
} as const satisfies Record<Language, object>;
const LANGUAGES = ["ts", "js"] as const;

const pathOf = (language: Language): string => `/client.${language}`;

export const clientDocumented: readonly DocumentedPage[] = LANGUAGES.map((language) => ({
  path: pathOf(language),
  operationId: `client${language === "ts" ? "TypeScript" : "JavaScript"}`,
  tag: "Service",
  summary: CLIENTS[language].about,
  responses: {
    200: {
      description: "One module",
      headers: ["ETag", "Content-Encoding", "Content-Length"],
      content: { [CLIENTS[language].type]: { schema: { type: "string" } } },
    },
    304: { description: "Not changed since the ETag in If-None-Match", headers: ["ETag"] },
  },
}));

export const createClientPages = (mode?: string): Pages =>
  Object.fromEntries(
    LANGUAGES.map((language): [string, Page] => [
      pathOf(language),
      serveStatic({
        bytes: () => readClient(language, mode),
        type: `${CLIENTS[language].type}; charset=utf-8`,
        cacheControl: "public, max-age=300",
      }),
    ]),
  );
