import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Term } from "../../../pipeline/contract/vocabulary.ts";
import { UpstreamBadResponse } from "../../../pipeline/errors.ts";
import { openScheduleReader, parseScheduleXml } from "../../../pipeline/parse/schedule/schedule-xml.ts";

const FALL: Term = { year: "2024", quarter: "Fall" };
const sound = readFileSync(new URL("../../fixtures/schedule/blocks-that-come-twice.xml", import.meta.url), "utf8");
const parse = (text: string) => parseScheduleXml(text, FALL);
const wrap = (inner: string) => `<websoc_results>${inner}</websoc_results>`;

describe("parseScheduleXml", () => {
  it("reads a sound answer, whole or piece by piece", () => {
    const page = parse(sound);
    expect(page).toMatchObject({ sections: 3, whole: true });
    const reader = openScheduleReader(FALL);
    for (const character of sound) reader.write(character);
    expect(reader.close()).toEqual(page);
  });

  it.each([
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
  ])("refuses %s", (_, text) => {
    expect(() => parse(text)).toThrow(UpstreamBadResponse);
  });

  it("refuses an answer for another term, and takes one that names none", () => {
    expect(() => parseScheduleXml(sound, { year: "2024", quarter: "Winter" })).toThrow(
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

  it("reads a cross-listed section as the system sends it: no field of it is unknown; a new one counts once a section", () => {
    const section = (more = "") =>
      `<section><course_code>20417</course_code><sec_type>Sem</sec_type><sec_meetings><sec_meet><sec_days>W</sec_days>${more}</sec_meet><sec_meet><sec_days>F</sec_days>${more}</sec_meet></sec_meetings>
      <sec_enrollment><sec_enrolled>31</sec_enrolled><sec_xlist_subenrolled>12</sec_xlist_subenrolled></sec_enrollment>
      <sec_cross_list><cross_course_code>30518</cross_course_code><cross_course_code>30519</cross_course_code></sec_cross_list></section>`;
    const page = (more?: string) =>
      parse(`<?xml version="1.0"?>
<!DOCTYPE websoc_results SYSTEM "https://schedule.example.edu/results.dtd">
${wrap(`<course_list><school school_code="9" school_name="School of Tides"><department dept_code="TIDES" dept_case="Tides" dept_name="Tides"><course course_number="7" course_title="NEAP TIDES">${section(more)}${section(more)}</course></department></school></course_list>`)}`);
    expect(page()).toMatchObject({ sections: 2, unknown: [] });
    expect(page("<sec_mood>calm</sec_mood>").unknown).toEqual([
      { kind: "element", place: "sec_meet", name: "sec_mood", count: 2 },
    ]);
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

describe("a text that is escaped more than once", () => {
  const times = (text: string, n: number): string =>
    n === 0 ? text : times(text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;"), n - 1);
  const document = (n: number) => {
    const plain = times(`R&D <ADV> "X" Ü`, n);
    const code = times("I&C", n);
    return `<websoc_results><school school_name="${plain}"><department dept_code="${code}" dept_name="${plain}">
      <course course_number="${code}" course_title="${plain}"><section><course_code>34000</course_code><sec_num>${plain}</sec_num>
      <instructor>${plain}</instructor><sec_restrictions>${code}</sec_restrictions><sec_meet><sec_bldg>${plain}</sec_bldg></sec_meet>
      <sec_final><sec_final_time>${plain}</sec_final_time></sec_final></section></course></department></school></websoc_results>`;
  };

  it("is decoded wherever a text is no HTML: names, titles, codes, people, places", () => {
    const once = parse(document(1));
    expect(once.schools[0]?.departments[0]?.courses[0]?.title).toBe(`R&D <ADV> "X" Ü`);
    for (const n of [2, 3]) expect(parse(document(n))).toEqual(once);
  });

  it.each([
    ["as CDATA", (html: string) => `<![CDATA[${html}]]>`],
    ["escaped", (html: string) => times(html, 1)],
  ])("stays HTML in a comment, whose entities are escaped once (%s)", (_, sent) => {
    const comments = (html: string) =>
      parse(
        wrap(`<school school_name="A"><school_comment>${sent(html)}</school_comment>
        <department><course><course_comment>${sent(html)}</course_comment><section><sec_comment>${sent(html)}</sec_comment></section></course></department></school>`),
      ).schools.flatMap(({ comment, departments: [department] }) => [
        comment,
        department?.courses[0]?.comment,
        department?.courses[0]?.sections[0]?.comment,
      ]);
    const same = '\n <p>A &amp; B &lt;b&gt; <a href="x?a=1&amp;b=2">x</a>&nbsp;&#146; R&D &amp;c &amp;nothing;</p>\n';
    expect(comments(same)).toEqual([same, same, same]);
    const twice = "<p>A &amp;amp; B &amp;nbsp;&amp;#146; &amp;amp;amp; C</p>";
    const html = "<p>A &amp; B &nbsp;&#146; &amp; C</p>";
    expect(comments(twice)).toEqual([html, html, html]);
  });

  it("keeps the entities of a comment whose tags are not escaped", () => {
    const comment = '<p>A &amp; B &lt; C <a href="?a=1&amp;b=2">x</a></p>';
    expect(parse(wrap(`<school><school_comment>${comment}</school_comment></school>`)).schools[0]?.comment).toBe(
      comment,
    );
  });
});
