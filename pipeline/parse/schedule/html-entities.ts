/** HTML's named entities for the XML parser, as the schedule's texts are HTML and XML defines five entities only. */
import { decodeHTMLStrict } from "entities";

/** Excludes the text after a bare ampersand. */
const NAME = /^[A-Za-z][A-Za-z0-9]*$/;

/** Text by entity name; undefined for an unknown entity. */
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
