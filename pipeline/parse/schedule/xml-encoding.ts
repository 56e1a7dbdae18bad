/** Decodes an XML document by its declared encoding. */
import { decodeText } from "../../contract/decode-text.ts";
import { SCHEDULE_SYSTEM } from "../../contract/schedule-page.ts";
import { UpstreamBadResponse } from "../../errors.ts";

/** Bytes searched for the XML declaration. */
const DECLARATION_BYTES = 200;

const DECLARED = /^<\?xml[^>]*\sencoding\s*=\s*["']([\w.:-]+)["']/;

/**
 * The declared encoding takes precedence over the charset of the HTTP response; the default is UTF-8. A byte order mark is dropped.
 * @throws UpstreamBadResponse on invalid bytes and on an unknown encoding
 */
export function decodeXml(body: Uint8Array, charset?: string): string {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const marked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const declared = DECLARED.exec(bytes.toString("latin1", marked ? 3 : 0, DECLARATION_BYTES))?.[1];
  const encoding = marked ? "utf-8" : (declared ?? charset ?? "utf-8").toLowerCase();
  // TextDecoder reads this label as windows-1252, which differs in the bytes 80 to 9F.
  if (encoding === "iso-8859-1" || encoding === "latin1") return bytes.toString("latin1");
  const text = decodeText(bytes, encoding);
  if (text === undefined) throw new UpstreamBadResponse(SCHEDULE_SYSTEM, `the response is not in ${encoding}`);
  return text;
}
