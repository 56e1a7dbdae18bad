/** Text in the schedule's XML: escaped once, twice, or as CDATA, as in the real system. */
import { hashText } from "../random.ts";

const NEEDS_ESCAPE = /[&<>"\n\t]/;

/** Escapes text between tags. */
export function xmlText(text: string): string {
  return NEEDS_ESCAPE.test(text) ? text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;") : text;
}

/** Escapes text in a quoted attribute, where a bare newline or tab would become a blank. */
export function xmlAttribute(text: string): string {
  if (!NEEDS_ESCAPE.test(text)) return text;
  return xmlText(text).replaceAll('"', "&quot;").replaceAll("\n", "&#10;").replaceAll("\t", "&#9;");
}

/** A comment is HTML, sent as CDATA or as escaped text depending on its hash. */
export function commentElement(name: string, html: string, attributes = ""): string {
  if (html === "") return "";
  const asCdata = hashText(html) % 2 === 0 && !html.includes("]]>");
  return `<${name}${attributes}>${asCdata ? `<![CDATA[${html}]]>` : xmlText(html)}</${name}>\n`;
}
