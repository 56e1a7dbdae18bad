/** Text is in the encoding that it claims; damaged bytes are a damaged page, never U+FFFD. */
import { describe, expect, it } from "vitest";
import { UpstreamBadResponse } from "../../../pipeline/errors.ts";
import { responseText } from "../../../pipeline/sources/client/page-text.ts";

const LATIN1 = (text: string) => Buffer.from(text, "latin1");
const UTF8 = (text: string) => Buffer.from(text);
const textOf = (body: Buffer, type = "text/html") =>
  responseText({
    ...{ system: "catalogue", status: 200, url: new URL("http://a.edu/") },
    headers: new Headers({ "Content-Type": type }),
    body,
  });
const meta = (charset: string) => `<html><head><meta charset="${charset}"></head>Café`;
const oldMeta = '<META http-equiv="Content-Type" content="text/html; charset=iso-8859-1">Café';

describe("responseText", () => {
  it.each([
    ["UTF-8, which is claimed", UTF8("Café"), "text/html; charset=utf-8", "Café"],
    ["UTF-8, which nobody claims", UTF8("Café"), undefined, "Café"],
    ["Latin-1, as the header says", LATIN1("Café"), "text/html; charset=ISO-8859-1", "Café"],
    ["Latin-1, as the page says", LATIN1(meta("latin1")), undefined, meta("latin1")],
    ["Latin-1, as an old page says", LATIN1(oldMeta), undefined, oldMeta],
    ["quotes of windows-1252", Buffer.from([0x93, 0x61, 0x94]), "text/html; charset=windows-1252", "“a”"],
    ["XML", LATIN1('<?xml version="1.0" encoding="ISO-8859-1"?><a>é</a>'), "text/xml", expect.stringContaining("é")],
    ["UTF-8 with a mark, whatever is claimed", UTF8("\ufeffCafé"), "text/html; charset=iso-8859-1", "Café"],
    ["the header's claim before the page's", UTF8(meta("latin1")), "text/html; charset=UTF-8", meta("latin1")],
  ])("reads %s", (_, body, type, text) => {
    expect(textOf(body, type)).toEqual(text);
  });

  it.each([
    ["Latin-1 that claims to be UTF-8", LATIN1("Café au lait"), "text/html; charset=utf-8", /not in utf-8/],
    ["Latin-1 whose page claims UTF-8", LATIN1(meta("utf-8")), undefined, /not in utf-8/],
    ["Latin-1 that claims nothing", LATIN1("Café au lait"), undefined, /not in utf-8/],
    ["a character cut off at the end", UTF8("Café").subarray(0, -1), undefined, /not in utf-8/],
    ["an encoding that nobody knows", UTF8("Cafe"), "text/html; charset=martian", /not in martian/],
    ["what another program has damaged", UTF8("Caf\ufffd"), "text/html; charset=utf-8", /damaged/],
  ])("refuses %s", (_, body, type, message) => {
    expect(() => textOf(body, type)).toThrow(UpstreamBadResponse);
    expect(() => textOf(body, type)).toThrow(message);
  });
});
