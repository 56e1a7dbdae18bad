/** Texts of the schedule: names, titles, codes and places are plain text; comments are HTML, and keep its markup and entities. */
import { decodeHTMLStrict } from "entities";
import { asBrowsersRead } from "../../text/decode-text.ts";

/** Excludes the text after a bare ampersand. */
const NAME = /^[A-Za-z][A-Za-z0-9]*$/;

/** HTML's entities for the XML parser, as XML defines five only: text by name; undefined for an unknown one. */
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
/** Other characters than ampersands are not escaped again and again. */
const MOST_ROUNDS = 20;

/** A plain text that the XML parser, or the form's, has decoded once: however often it was escaped, no entity is left. No-break spaces are blanks. */
export function toPlainText(text: string): string {
  if (!SPECIAL.test(text)) return text;
  let plain = asBrowsersRead(text);
  for (let [before, rounds] = ["", 0]; before !== plain && plain.includes("&") && rounds < MOST_ROUNDS; rounds++)
    plain = decodeHTMLStrict((before = plain).replace(ESCAPED_AMPERSANDS, "&"));
  return plain.replaceAll("\u00a0", " ");
}

/** An entity whose own ampersand is escaped: `&amp;nbsp;`. */
const ESCAPED_TWICE = /&(?:amp;)+(#\d+;|#x[\da-f]+;|[a-z][a-z\d]*;)/gi;

/** A comment as its author wrote it: entities that were escaped twice are escaped once. */
export const toHtml = (text: string): string =>
  asBrowsersRead(text).replace(ESCAPED_TWICE, (whole, name: string) =>
    decodeHTMLStrict(`&${name}`) === `&${name}` ? whole : `&${name}`,
  );
