/** Where the JSON behind a part of the page is. */
import { h } from "./element.js";

/** `links`: [[name, address]]. */
export const jsonLinks = (links) =>
  h(
    "p",
    { class: "json" },
    "JSON: ",
    links.map(([name, address], i) => [i > 0 && ", ", h("a", { href: address }, name)]),
  );
