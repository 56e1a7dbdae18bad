/** The text of a page. */
import { decodeText, type TextKind } from "../../text/decode-text.ts";
import { charsetOf, type UpstreamResponse } from "./exchange.ts";
import type { Client } from "./http.ts";

/** Fetches a page. It follows redirects; the parser rejects a redirect to another kind of page. */
export const readPage = <T>(client: Client, url: URL, parse: (html: string) => T): Promise<T> =>
  client.request({ url, follow: true }, (response) => parse(responseText(response)));

/** Decodes the body. @throws UpstreamBadResponse when the body is not in its declared encoding */
export const responseText = (response: UpstreamResponse, kind: TextKind = "html"): string =>
  decodeText({ system: response.system, bytes: response.body, kind, charset: charsetOf(response) });
