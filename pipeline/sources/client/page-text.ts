/** The text of a page. */
import { decodeText } from "../../contract/decode-text.ts";
import { UpstreamBadResponse } from "../../errors.ts";
import { charsetOf, type UpstreamResponse } from "./exchange.ts";
import type { Client } from "./http.ts";

/** Fetches a page. It follows redirects; the parser rejects one to another kind of page. */
export const readPage = <T>(client: Client, url: URL, parse: (html: string) => T): Promise<T> =>
  client.request({ url, follow: true }, (response) => parse(responseText(response)));

/** Where HTML and XML declare their encoding. */
const HEAD_BYTES = 1024;
const DECLARED = /^\s*<\?xml[^>]*\sencoding\s*=\s*["']([\w.:-]+)|<meta\b[^>]*\bcharset\s*=\s*["']?\s*([\w.:-]+)/i;

/**
 * The body in the encoding that the response claims: by a byte order mark, the Content-Type, or the page itself; by default UTF-8.
 * @throws UpstreamBadResponse when the bytes are not in it
 */
export function responseText(response: UpstreamResponse): string {
  const { body, system } = response;
  const encoding = isMarked(body) ? "utf-8" : (charsetOf(response) ?? declaredIn(body) ?? "utf-8").toLowerCase();
  const text = decodeText(body, encoding);
  if (text === undefined) throw new UpstreamBadResponse(system, `the page is damaged: it is not in ${encoding}`);
  return text;
}

const isMarked = (body: Buffer): boolean => body.toString("latin1", 0, 3) === "\xef\xbb\xbf";

function declaredIn(body: Buffer): string | undefined {
  const [, inXml, inMeta] = DECLARED.exec(body.toString("latin1", 0, HEAD_BYTES)) ?? [];
  return inXml ?? inMeta;
}
