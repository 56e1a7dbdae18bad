/** Encodings of the schedule's XML: comments as CDATA or escaped, characters as UTF-8 or ISO-8859-1. */
import type { CampusResponse } from "../../../pipeline/campus/listening/response.ts";
import { xmlText } from "../../../pipeline/campus/schedule/xml-text.ts";

export interface XmlEncoding {
  /** Both occur by default. */
  cdata?: "always" | "never";
  encoding?: "utf-8" | "latin1";
}

const CDATA = /<!\[CDATA\[(.*?)\]\]>/gs;
const ESCAPED_COMMENT = /<((?:\w+_)?comment)( [^>]*)?>([^<]+)<\/\1>/g;

export function encodeXml(answer: CampusResponse, { cdata, encoding }: XmlEncoding): CampusResponse {
  if (!answer.type.startsWith("text/xml")) return answer;
  let text = Buffer.from(answer.body).toString("utf8");
  if (cdata === "never") text = text.replace(CDATA, (_, html: string) => xmlText(html));
  if (cdata === "always")
    text = text.replace(
      ESCAPED_COMMENT,
      (_, name: string, attributes = "", html: string) =>
        `<${name}${attributes}><![CDATA[${unescaped(html)}]]></${name}>`,
    );
  if (encoding !== "latin1") return { ...answer, body: text };
  const narrow = text
    .replace('encoding="UTF-8"', 'encoding="ISO-8859-1"')
    .replace(/[\u0100-\u{10ffff}]/gu, (letter) => `&#${letter.codePointAt(0)};`);
  return { ...answer, type: "text/xml; charset=ISO-8859-1", body: Buffer.from(narrow, "latin1") };
}

const unescaped = (text: string): string =>
  text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll("&amp;", "&");
