import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Term } from "../../../pipeline/contract/vocabulary.ts";
import { UpstreamBadResponse } from "../../../pipeline/errors.ts";
import { openScheduleReader, parseScheduleXml } from "../../../pipeline/parse/schedule/schedule-xml.ts";

const FALL: Term = { year: "2024", quarter: "Fall" };
const sound = readFileSync(new URL("../../fixtures/schedule/blocks-that-come-twice.xml", import.meta.url), "utf8");
const parse = (text: string, charset?: string) => parseScheduleXml(Buffer.from(text), FALL, charset);
const wrap = (inner: string) => `<websoc_results>${inner}</websoc_results>`;

const named = (text: Buffer, charset?: string) => parseScheduleXml(text, FALL, charset).schools[0]?.name;

const school = (name: string, declared = "") => `${declared}${wrap(`<school school_name="${name}"/>`)}`;

describe("parseScheduleXml", () => {
  it("reads a sound answer, whole or piece by piece", () => {
    const page = parse(sound);
    expect(page).toMatchObject({ sections: 3, whole: true });
    const reader = openScheduleReader(FALL);
    for (const character of sound) reader.write(character);
    expect(reader.close()).toEqual(page);
  });

  it("refuses an answer that is cut off, wherever that is", () => {
    const end = sound.lastIndexOf(">");
    for (let length = 0; length < end; length += 7) {
      expect(() => parse(sound.slice(0, length)), `after ${length} characters`).toThrow(UpstreamBadResponse);
    }
  });

  it.each([
    ["an HTML page", "<!DOCTYPE html>\n<html><body><p>Please slow down</p></body></html>"],
    ["plain text", "The connection to database is down."],
    ["another root", "<results></results>"],
    ["a bare ampersand", sound.replace("ALGORITHMS", "R & D").replace("<sec_num>A", "<sec_num>A & B")],
    ["a lost end tag", sound.replace("</sec_units>", "")],
    ["an entity that HTML does not define either", sound.replace("<sec_num>A", "<sec_num>&nbspace;")],
    ["an entity without its semicolon", sound.replace("<sec_num>A", "<sec_num>&nbsp A")],
    ["a bare ampersand before an entity", sound.replace("<sec_num>A", "<sec_num>A & B&nbsp;")],
    ["a reference to a character that XML forbids", sound.replace("<sec_num>A", "<sec_num>&#0;")],
    ["the name of a property of every object", sound.replace("<sec_num>A", "<sec_num>&constructor;")],
    ["text behind the end", `${sound}<p>`],
    ["a section without a course", wrap("<section></section>")],
    ["a text of a section without a section", wrap("<sec_num>A</sec_num>")],
    ["nothing", ""],
  ])("refuses %s", (_, text) => {
    expect(() => parse(text)).toThrow(UpstreamBadResponse);
  });

  it("refuses an answer for another term, and takes one that names none", () => {
    expect(() => parseScheduleXml(Buffer.from(sound), { year: "2024", quarter: "Winter" })).toThrow(
      "the response is for term 202492 instead of 202403",
    );
    expect(parse(sound.replace(/<term>.*<\/term>\n/s, ""))).toMatchObject({ sections: 3, whole: false });
    expect(parse(sound.replace(/<restriction_codes>.*<\/restriction_codes>\n/s, ""))).toMatchObject({ whole: false });
  });

  it("knows an answer without sections, with and without a list", () => {
    expect(parse(wrap("<course_list>\n</course_list>"))).toEqual({
      schools: [],
      sections: 0,
      whole: false,
      unknown: [],
    });
    expect(parse("<websoc_results/>")).toMatchObject({ sections: 0 });
  });

  it.each([
    ["UTF-8, when nothing is declared", Buffer.from(school("Café")), undefined],
    ["UTF-8 with a mark", Buffer.from(`\uFEFF${school("Café")}`), undefined],
    ["UTF-8, as declared", Buffer.from(school("Café", '<?xml version="1.0" encoding="utf-8"?>')), "iso-8859-1"],
    [
      "ISO-8859-1, as declared",
      Buffer.from(school("Café", "<?xml version='1.0' encoding='ISO-8859-1'?>"), "latin1"),
      "UTF-8",
    ],
    ["ISO-8859-1, by the transport", Buffer.from(school("Café"), "latin1"), "ISO-8859-1"],
    [
      "ISO-8859-1 with a reference",
      Buffer.from(school("Caf&#233;", '<?xml version="1.0" encoding="ISO-8859-1"?>'), "latin1"),
      undefined,
    ],
  ])("decodes %s", (_, bytes, charset) => {
    expect(named(bytes, charset)).toBe("Café");
  });

  it("refuses bytes that the encoding does not have, and an encoding that nobody knows", () => {
    expect(() => named(Buffer.from(school("Café"), "latin1"))).toThrow("the response is not in utf-8");
    expect(() => named(Buffer.from(school("x", '<?xml version="1.0" encoding="ebcdic-9"?>')))).toThrow("ebcdic-9");
  });

  it("decodes the entities of HTML that XML does not define: no-break spaces are blanks, but in comments", () => {
    const text =
      wrap(`<school school_name="School&nbsp;of Arts &amp; Caf&eacute;s"><school_comment>Caf&eacute;&nbsp;&mdash; &lt;b&gt;&amp;nbsp;<b title="&nbsp;">x</b></school_comment>
      <department dept_code="I&amp;C&nbsp;SCI" dept_name="Women&rsquo;s Studies"><department_comment><![CDATA[<p>&nbsp;&frac12;</p>]]></department_comment>
      <course course_number="1" course_title="INTRO&#160;TO&#xA0;X"><section><course_code>34000</course_code>
      <sec_units>&nbsp;</sec_units><instructor>M&Uuml;LLER,&nbsp;E.</instructor><sec_meet><sec_time>10:00&ndash;10:50</sec_time></sec_meet></section></course></department></school>`);
    const page = parse(text);
    expect(page.schools[0]).toMatchObject({
      name: "School of Arts & Cafés",
      comment: 'Café\u00a0— <b>&nbsp;<b title="\u00a0">x</b>',
      departments: [
        {
          code: "I&C SCI",
          name: "Women’s Studies",
          comment: "<p>&nbsp;&frac12;</p>",
          courses: [
            {
              title: "INTRO TO X",
              sections: [{ units: " ", instructors: ["MÜLLER, E."], meetings: [{ time: "10:00–10:50" }] }],
            },
          ],
        },
      ],
    });
    const reader = openScheduleReader(FALL);
    for (const character of text) reader.write(character);
    expect(reader.close()).toEqual(page);
  });

  it("keeps line breaks and tabs that an attribute has escaped", () => {
    const attributes = `<school school_name="A"><department dept_code="X&#9;Y" dept_name="&quot;N&quot;"/></school>`;
    expect(parse(wrap(attributes)).schools[0]?.departments[0]).toMatchObject({ code: "X\tY", name: '"N"' });
  });
});
