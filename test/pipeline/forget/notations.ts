/** How sources write a person: each notation of a name and an address, for any person. */

import { decodeHTML } from "entities";
export interface Person {
  readonly first: string;
  readonly middle: string;
  readonly last: string;
  readonly netid: string;
  readonly email: string;
}

export type Notation = readonly [about: string, write: (person: Person) => string];

const upper = (text: string) => text.toUpperCase();
const letter = (text: string) => [...text][0] ?? "";
const entities = (text: string, write: (code: number) => string) =>
  [...text].map((letter) => write(letter.codePointAt(0) ?? 0)).join("");
/** As in an address: no blanks, no apostrophes. */
const slug = (text: string) => text.replaceAll("'", "").replaceAll(" ", "-").toLowerCase();
const half = (text: string) => Math.ceil(text.length / 2);
const within = (text: string, mark: string) => text.slice(0, half(text)) + mark + text.slice(half(text));

/** Between two words, as a reader sees a blank. */
export const BLANKS = [
  " ",
  "  ",
  "\t",
  "\n",
  "\r\n      ",
  "\u00a0",
  "\u2009",
  "\u202f",
  "\u3000",
  "&nbsp;",
  "&nbsp",
  "&#160;",
  "&#xA0;",
  "&#160",
  "&ensp;",
  "&#8201;",
  "&thinsp;",
  "&amp;nbsp;",
  "&NonBreakingSpace;",
  "&Tab;",
  "&NewLine;",
  " &#8203;",
  "\u200b",
  "&#x200B;",
  "<br>",
  "<br/>",
  " <br />\n",
  "</p><p>",
  "</b> <b>",
  "</span><span>",
  "<!-- -->",
  "%20",
  "\\n",
  "\\u00a0",
] as const;

/** Within a word, where a reader sees nothing. */
export const NOTHINGS = [
  "\u00ad",
  "&shy;",
  "&#173;",
  "\u200b",
  "&#8203;",
  "&zwnj;",
  "&zwj;",
  "\u2060",
  "\ufeff",
  "\u200e",
  "<wbr>",
  "<b></b>",
  "<!---->",
  "</i><i>",
] as const;

export const NOTATIONS: readonly Notation[] = [
  ["First Last", ({ first, last }) => `${first} ${last}`],
  ["first last", ({ first, last }) => `${first} ${last}`.toLowerCase()],
  ["FIRST LAST", ({ first, last }) => upper(`${first} ${last}`)],
  ["Last, First", ({ first, last }) => `${last}, ${first}`],
  ["Last,First", ({ first, last }) => `${last},${first}`],
  ["Last , First", ({ first, last }) => `${last} , ${first}`],
  ["LAST, FIRST", ({ first, last }) => upper(`${last}, ${first}`)],
  ["Last First", ({ first, last }) => `${last} ${first}`],
  ["F. Last", ({ first, last }) => `${letter(first)}. ${last}`],
  ["F.Last", ({ first, last }) => `${letter(first)}.${last}`],
  ["F Last", ({ first, last }) => `${letter(first)} ${last}`],
  ["f. last", ({ first, last }) => `${letter(first)}. ${last}`.toLowerCase()],
  ["F. LAST", ({ first, last }) => `${letter(first)}. ${upper(last)}`],
  ["F.M. Last", ({ first, last, middle }) => `${letter(first)}.${letter(middle)}. ${last}`],
  ["F. M. Last", ({ first, last, middle }) => `${letter(first)}. ${letter(middle)}. ${last}`],
  ["F.-M. Last", ({ first, last, middle }) => `${letter(first)}.-${letter(middle)}. ${last}`],
  ["F. Middle Last", ({ first, last, middle }) => `${letter(first)}. ${middle} ${last}`],
  ["First M. Last", ({ first, last, middle }) => `${first} ${letter(middle)}. ${last}`],
  ["First M Last", ({ first, last, middle }) => `${first} ${letter(middle)} ${last}`],
  ["first m. last", ({ first, last, middle }) => `${first} ${letter(middle)}. ${last}`.toLowerCase()],
  ["FIRST M. LAST", ({ first, last, middle }) => upper(`${first} ${letter(middle)}. ${last}`)],
  ["First Middle Last", ({ first, last, middle }) => `${first} ${middle} ${last}`],
  ["LAST, F.", ({ first, last }) => upper(`${last}, ${letter(first)}.`)],
  ["LAST, F", ({ first, last }) => upper(`${last}, ${letter(first)}`)],
  ["LAST,F.", ({ first, last }) => upper(`${last},${letter(first)}.`)],
  ["Last, F.", ({ first, last }) => `${last}, ${letter(first)}.`],
  ["last, f.", ({ first, last }) => `${last}, ${letter(first)}.`.toLowerCase()],
  ["Last F.", ({ first, last }) => `${last} ${letter(first)}.`],
  ["LAST, F.M.", ({ first, last, middle }) => upper(`${last}, ${letter(first)}.${letter(middle)}.`)],
  ["LAST, F. M.", ({ first, last, middle }) => upper(`${last}, ${letter(first)}. ${letter(middle)}.`)],
  ["LAST, F.M", ({ first, last, middle }) => upper(`${last}, ${letter(first)}.${letter(middle)}`)],
  ["LAST, F M", ({ first, last, middle }) => upper(`${last}, ${letter(first)} ${letter(middle)}`)],
  ["LAST, F.M.X.", ({ first, last, middle }) => upper(`${last}, ${letter(first)}.${letter(middle)}.X.`)],
  ["LAST, FIRST M", ({ first, last, middle }) => upper(`${last}, ${first} ${letter(middle)}`)],
  ["LAST, FIRST MIDDLE", ({ first, last, middle }) => upper(`${last}, ${first} ${middle}`)],
  ["Last Jr., First", ({ first, last }) => `${last} Jr., ${first}`],
  ["Prof. First Last", ({ first, last }) => `${first} ${last}`],
  ["First-Last", ({ first, last }) => `${first}-${last.replaceAll(" ", "-")}`],
  ["First_Last", ({ first, last }) => `${first}_${last}`],
  ["last.first", ({ first, last }) => `${last}.${first}`.toLowerCase()],
  ["decomposed", ({ first, last }) => `${first} ${last}`.normalize("NFD")],
  [
    "wide letters",
    ({ first, last }) =>
      entities(`${first} ${last}`, (code) => String.fromCodePoint(code < 127 && code > 32 ? code + 0xfee0 : code)),
  ],
  ["decimal entities", ({ first, last }) => entities(`${first} ${last}`, (code) => `&#${code};`)],
  ["hexadecimal entities", ({ first, last }) => entities(`${first} ${last}`, (code) => `&#x${code.toString(16)};`)],
  ["entities without an end", ({ first, last }) => `${first}&#32;&#${last.codePointAt(0)};${last.slice(1)}`],
  [
    "JSON escapes",
    ({ first, last }) => `${first} ${entities(last, (code) => `\\u${code.toString(16).padStart(4, "0")}`)}`,
  ],
  ["percent", ({ first, last }) => encodeURIComponent(`${first} ${last}`)],
  ["an entity for the comma", ({ first, last }) => `${last}&#44; ${letter(first)}.`],
  ["an entity for the stop", ({ first, last }) => `${letter(first)}&period; ${last}`],
  ["a possessive", ({ first, last }) => `${first} ${last}'s`],
  ["a possessive with ’", ({ first, last }) => `${first} ${last}’s`],
  ["a possessive entity", ({ first, last }) => `${first} ${last}&rsquo;s`],
  ["F. Last's", ({ first, last }) => `${letter(first)}. ${last}&#39;s`],
  ["in bold", ({ first, last }) => `<b>${first} ${last}</b>`],
  ["the last name in bold", ({ first, last }) => `${first} <b>${last}</b>`],
  ["each in a tag", ({ first, last }) => `<span class="x">${first}</span> <span>${last}</span>`],
  ["the initial in a tag", ({ first, last }) => `${last}, <i>${letter(first)}</i>.`],
  ["the comma in a tag", ({ first, last }) => `${last}<i>,</i> ${letter(first)}.`],
  [
    "a capital in a tag",
    ({ first, last }) => `<big>${letter(first)}</big>${first.slice(1)} <big>${letter(last)}</big>${last.slice(1)}`,
  ],
  ["a title of a link", ({ first, last }) => `<a href="/x" title="${first} ${last}">x</a>`],
  ["in a comment of HTML", ({ first, last }) => `<!-- ${first}&nbsp;${last} -->`],
  ["before an address", ({ email, first, last }) => `${first} ${last} &lt;${email}&gt;`],
  ["an address", ({ email }) => email],
  ["AN ADDRESS", ({ email }) => upper(email)],
  ["an address that is a tag", ({ email }) => `<${email}>`],
  ["mailto:", ({ email }) => `<a href="mailto:${email}?subject=x">x</a>`],
  ["netid@", ({ netid }) => `${netid}@example.edu`],
  ["netid@ at another host", ({ netid }) => `${upper(netid)}@math.example.edu`],
  ["netid+tag@", ({ netid }) => `${netid}+class@example.edu`],
  ["netid [at]", ({ netid }) => `${netid} [at] example [dot] edu`],
  ["first.last@", ({ first, last }) => `${slug(first)}.${slug(last)}@example.com`],
  ["an address in entities", ({ netid }) => `${netid}&#64;example&#46;edu`],
  ["an address with %40", ({ netid }) => `mailto:${netid}%40example.edu`],
  ["/people/netid", ({ netid }) => `/people/${netid}`],
  ["https://…/people/netid", ({ netid }) => `https://www.example.edu/people/${netid}/`],
  ["HTTPS://…/NETID", ({ netid }) => `HTTPS://WWW.EXAMPLE.EDU/${upper(netid)}`],
  ["host/~netid", ({ netid }) => `example.edu/~${netid}`],
  ["~netid/page", ({ netid }) => `https://example.edu/~${netid}/page.html`],
  ["netid.html", ({ netid }) => `https://example.edu/faculty/${netid}.html`],
  ["?netid=", ({ netid }) => `https://example.edu/people?netid=${netid}&amp;page=1`],
  ["#netid", ({ netid }) => `https://example.edu/people#${netid}`],
  ["a relative link", ({ netid }) => `<a href="${netid}.html">x</a>`],
  ["a link without quotes", ({ netid }) => `<A HREF=http://example.edu/~${netid}>x</A>`],
  ["netid.host", ({ netid }) => `https://${netid}.people.example.edu/`],
  ["/people/first-last", ({ first, last }) => `https://example.edu/people/${slug(first)}-${slug(last)}`],
  ["/people/last_first", ({ first, last }) => `https://example.edu/people/${slug(last)}_${slug(first)}`],
  ...BLANKS.map((blank): Notation => [
    `First${JSON.stringify(blank)}Last`,
    ({ first, last }) => `${first}${blank}${last}`,
  ]),
  ...BLANKS.map((blank): Notation => [
    `LAST,${JSON.stringify(blank)}F.`,
    ({ first, last }) => upper(last) + `,${blank}${letter(first)}.`,
  ]),
  ...NOTHINGS.map((mark): Notation => [
    `La${JSON.stringify(mark)}st`,
    ({ first, last }) => `${first} ${within(last, mark)}`,
  ]),
  ...NOTHINGS.map((mark): Notation => [
    `Fi${JSON.stringify(mark)}rst`,
    ({ first, last }) => `${last}, ${within(first, mark)}`,
  ]),
];

/** True when a reader of a text, or of its source, finds the person in it. */
export function traceOf({ email, first, last, netid }: Person, text: string): boolean {
  const plain = [text, text.replace(/<[^>]*>/g, ""), decodeHTML(text.replace(/<[^>]*>/g, ""))];
  const words = [last, upper(last), netid, email, `\\b${first}\\b`].map((word) => new RegExp(word, "i"));
  return plain.some((read) => words.some((word) => word.test(read)));
}
