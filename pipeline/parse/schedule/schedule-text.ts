/**
 * Texts of the schedule: names, titles, codes and places are plain text; comments are HTML, and keep its markup and
 * entities.
 */
import { decodeHTMLStrict } from "entities";
import { asBrowsersRead } from "../../text/decode-text.ts";

/** Excludes the text after a bare ampersand. */
const NAME = /^[A-Za-z][A-Za-z0-9]*$/;

/** HTML's entities for the XML parser, since XML defines only five: text by name; undefined for an unknown name. */
export const HTML_ENTITIES: Record<string, string> = new Proxy<Record<string, string>>(
  {},
  {
    get(_none, name) {
      if (typeof name !== "string" || !NAME.test(name)) return undefined;
      const reference = `&${name};`;
      const text = decodeHTMLStrict(reference);
      return text === reference ? undefined : text;
    },
  },
);

const SPECIAL = /[&\u0080-\u00a0]/;

/** An ampersand, however often it was escaped. */
const ESCAPED_AMPERSANDS = /&(?:(?:amp|#38|#x26);)+/gi;
/** Characters other than ampersands are not escaped repeatedly. */
const MOST_ROUNDS = 20;

/**
 * Plain text that the XML parser, or the form's, has decoded once: decodes entities however often they were escaped.
 * No-break spaces become blanks.
 */
export function toPlainText(text: string): string {
  if (!SPECIAL.test(text)) return text;
  let plain = asBrowsersRead(text);
  for (let [previous, rounds] = ["", 0]; previous !== plain && plain.includes("&") && rounds < MOST_ROUNDS; rounds++)
    plain = decodeHTMLStrict((previous = plain).replace(ESCAPED_AMPERSANDS, "&"));
  return plain.replaceAll("\u00a0", " ");
}

/** An entity whose ampersand is escaped: `&amp;nbsp;`. */
const ESCAPED_TWICE = /&(?:amp;)+(#\d+;|#x[\da-f]+;|[a-z][a-z\d]*;)/gi;

/** Restores a comment as its author wrote it: entities that were escaped twice are escaped once. */
export const toHtml = (text: string): string =>
  asBrowsersRead(text).replace(ESCAPED_TWICE, (whole, name: string) =>
    decodeHTMLStrict(`&${name}`) === `&${name}` ? whole : `&${name}`,
  );
