/**
 * Bytes become the text that a browser shows; damaged input is refused by name, never published as U+FFFD or a control
 * character.
 */
import { describe, expect, it } from "vitest";
import { asBrowsersRead, damageIn, decodeText, type TextKind } from "../../../pipeline/text/decode-text.ts";
import { UpstreamBadResponse } from "../../../pipeline/errors.ts";
import { parsePage } from "../../../pipeline/parse/html-page.ts";
import { parseScheduleXml } from "../../../pipeline/parse/schedule/schedule-xml.ts";

const bytesOf = (...parts: (string | number[])[]) =>
  Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part, "latin1") : Buffer.from(part))));
const utf8 = (text: string) => Buffer.from(text);
const wide = (text: string) => Buffer.from(text, "utf16le");
const decode = (kind: TextKind, bytes: Uint8Array, charset?: string) =>
  decodeText({ system: "schedule", bytes, kind, charset });

/** `x` in each kind of document that the service reads, with a place for a declaration. */
const DOCUMENTS: readonly [kind: TextKind, document: (text: string, declared?: string) => string][] = [
  ["html", (text, declared) => `<html><head>${declared ? `<meta charset=${declared}>` : ""}</head>${text}</html>`],
  ["html", (text, declared) => `<meta content='text/html; charset=${declared ?? ""}' http-equiv=content-type>${text}`],
  ["xml", (text, declared) => `<?xml version="1.0"${declared ? ` encoding="${declared}"` : ""}?><a>${text}</a>`],
];
const LABELS_OF_1252 = ["windows-1252", "ISO-8859-1", "latin1", "us-ascii", "ascii", "cp1252", "l1", "iso_8859-1:1987"];

describe.each(DOCUMENTS)("%s", (kind, document) => {
  const curly = bytesOf(document("Students\x92 \x93own\x94 \x96 as"));
  it.each(LABELS_OF_1252)("reads %s as windows-1252, in the header and declared", (label) => {
    expect(decode(kind, curly, label)).toContain("Students’ “own” – as");
    expect(decode(kind, bytesOf(document("caf\xe9 \x80 \x85", label)))).toContain("café € …");
  });

  it("goes by a mark first, then by the header, then by what is declared, and is UTF-8 else", () => {
    expect(decode(kind, bytesOf([0xef, 0xbb, 0xbf], utf8(document("é", "latin1")).toString("latin1")), "koi8-r")).toBe(
      document("é", "latin1"),
    );
    for (const charset of [undefined, "latin1"])
      expect(decode(kind, Buffer.concat([Buffer.from([0xff, 0xfe]), wide(document("é"))]), charset)).toBe(
        document("é"),
      );
    const turned = Buffer.concat([Buffer.from([0xff, 0xfe]), wide(document("é"))]).swap16();
    expect(decode(kind, turned)).toBe(document("é"));
    expect(decode(kind, utf8(document("é", "latin1")), "UTF-8")).toBe(document("é", "latin1"));
    expect(decode(kind, bytesOf(document("\xe9", "utf-8")), "iso-8859-1")).toBe(document("é", "utf-8"));
    expect(decode(kind, bytesOf(document("\xb1", "iso-8859-2")))).toContain("ą");
    expect(decode(kind, utf8(document("é")))).toContain("é");
    // Text that can be read byte by byte is not in UTF-16.
    expect(decode(kind, utf8(document("é", "utf-16")))).toContain("é");
  });

  it.each([
    ["bytes of windows-1252 that claim to be UTF-8", bytesOf(document("caf\xe9", "utf-8")), undefined, /not in utf-8/],
    ["bytes of windows-1252 that claim nothing", bytesOf(document("caf\xe9")), undefined, /not in utf-8/],
    ["a header that bytes contradict", bytesOf(document("caf\xe9", "latin1")), "utf-8", /not in utf-8/],
    ["a character cut off at the end", utf8(`${document("")}é`).subarray(0, -1), "utf-8", /not in utf-8/],
    ["an encoding that nobody knows", utf8(document("x")), "martian", /not in martian/],
    ["a C1 control character", utf8(document("Students\u0092")), undefined, /U\+0092/],
    ["bytes that windows-1252 leaves undefined", bytesOf(document("\x81")), "latin1", /U\+0081/],
    ["C1 control characters of another encoding", bytesOf(document("\x92")), "iso-8859-2", /U\+0092/],
    ["what another program has damaged", utf8(document("Caf\ufffd")), undefined, /U\+FFFD/],
    ["a NUL", utf8(document("\0")), undefined, /U\+0000/],
    ["a reference to a control character", utf8(document("a&#129;b")), undefined, /U\+0081/],
    ["the same in hexadecimal, escaped", utf8(document("a&amp;#x0081;b")), undefined, /U\+0081/],
    ["a reference to the replacement character", utf8(document("a&#65533;b")), undefined, /U\+FFFD/],
    ["a reference to half a character", utf8(document("a&#xD83D;b")), undefined, /U\+FFFD/],
  ])("refuses %s", (_, bytes, charset, message) => {
    expect(() => decode(kind, bytes, charset)).toThrow(UpstreamBadResponse);
    expect(() => decode(kind, bytes, charset)).toThrow(message);
  });
});

it("does not take a remark or a script for the page's own declaration", () => {
  expect(decode("html", utf8("<!-- <meta charset=latin1> --><p>é"))).toContain("é");
  expect(decode("xml", utf8("<a><![CDATA[<meta charset=latin1>]]>é</a>"))).toContain("é");
});

it("reads XML in UTF-16 without a mark", () => {
  const text = '<?xml version="1.0" encoding="utf-16"?><a>é</a>';
  expect(decode("xml", wide(text))).toBe(text);
  expect(decode("xml", wide(text).swap16())).toBe(text);
});

describe("csv", () => {
  const text = 'Name;Grade\r\n"Müller’s";3,5\r\n';
  const turned = wide(text).swap16();
  it.each([
    ["UTF-8", utf8(text)],
    ["UTF-8 with a mark", utf8(`\ufeff${text}`)],
    ["windows-1252", bytesOf(text.replace("ü", "\xfc").replace("’", "\x92"))],
    ["UTF-16, little end first, with a mark", wide(`\ufeff${text}`)],
    ["UTF-16, little end first", wide(text)],
    ["UTF-16, big end first, with a mark", wide(`\ufeff${text}`).swap16()],
    ["UTF-16, big end first", turned],
  ])("reads %s", (_, bytes) => expect(decode("csv", bytes)).toBe(text));

  it.each([
    ["UTF-8 with a damaged byte", bytesOf(utf8("Müller, Gödel, Ørsted ").toString("latin1"), [0xff]), /not in utf-8/],
    ["what another program has damaged", utf8("M\ufffdller"), /U\+FFFD/],
    ["half a character of UTF-16", wide(text).subarray(0, -1), /not in utf-16le/],
    ["bytes that windows-1252 leaves undefined", bytesOf("caf\xe9 \x8d"), /U\+008D/],
    [
      "numbers of four bytes",
      Buffer.concat([...text].map((letter) => Buffer.from([letter.charCodeAt(0), 0, 0, 0]))),
      /./,
    ],
  ])("refuses %s", (_, bytes, message) => expect(() => decode("csv", bytes)).toThrow(message));
});

it("a JSON text with a C1 control character is found where it is read", () => {
  expect([damageIn("\u0092"), damageIn("\ud83d"), damageIn("😀 é\u00a0")]).toEqual(["U+0092", "U+D83D", undefined]);
});

describe("numeric references", () => {
  const shown = "‘a’ “b” – €…";
  const references = "&#145;a&#146; &#x93;b&#X94; &#0150; &#128;&#133;";
  it("are those of windows-1252, in HTML as in XML, where they are text and where the text is HTML", () => {
    expect(parsePage("catalogue", `<p>${references}</p>`)("p").text()).toBe(shown);
    const xml = `<websoc_results><school school_name="${references.replace("X94", "x94")}"><school_comment>${references.replace("X94", "x94")}</school_comment>
      <department dept_code="A" dept_name="${references.replaceAll("&", "&amp;")}"><department_comment>${references.replaceAll("&", "&amp;")}</department_comment></department></school></websoc_results>`;
    const [school] = parseScheduleXml(decode("xml", utf8(xml)), { year: "2026", quarter: "Fall" }).schools;
    expect([school?.name, school?.comment, school?.departments[0]?.name]).toEqual([shown, shown, shown]);
    // A comment is HTML and keeps its references.
    expect(school?.departments[0]?.comment).toBe(references);
    expect(asBrowsersRead("\u0092")).toBe("’");
  });
});
