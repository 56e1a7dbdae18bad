/**
 * A small invented university behind real HTTP whose systems print what a sound generator does not: entities that XML
 * lacks, composed and decomposed letters, departments that ended, titles and GE lines with blanks and words, catalogue
 * pages without courses.
 */
import { createServer, type IncomingMessage } from "node:http";
import { type AddressInfo } from "node:net";

const page = (body: string): string =>
  `<!DOCTYPE html>\n<html><head><meta charset="utf-8"><title>Odd</title></head>\n<body>\n${body}\n</body>\n</html>\n`;

const DEPARTMENTS = [
  ["GERMAN", "German", ""],
  ["HUM ART", "Humanities &amp; Arts", "  (until 2019 SS2)"],
  ["WOM STD", "Women&rsquo;s Studies", " (started 2015 Fall) ( until  2019   Fall )"],
  ["OLD", "Old Things", " (until 2011 Spg)"],
] as const;

const FORM = page(
  `<form method="post"><select name="YearTerm"><option value="2019-92">2019  Fall Quarter</option><option value="2019-14">2019  Spring Quarter</option></select>
<select name="Dept"><option value=" ALL">Include All Departments</option>
${DEPARTMENTS.map(([code, name, mark]) => `<option value="${code}">${code} . . . .${name}${mark}</option>`).join("\n")}</select></form>`,
);

interface OddSection {
  term: string;
  department: string;
  /** Attributes and texts as they stand in the XML. */
  course: string;
  code: string;
  instructors: readonly string[];
  comment: string;
}

const SECTIONS: readonly OddSection[] = [
  {
    term: "2019-14",
    department: "GERMAN",
    course: `course_number="1A" course_title="GERMAN&nbsp;I &ndash; ALLT&Auml;G"`,
    code: "25600",
    instructors: ["M&Uuml;LLER,&nbsp;E."],
    comment: "&lt;p&gt;Caf&amp;eacute;&nbsp;&frac12;&lt;/p&gt;",
  },
  {
    term: "2019-92",
    department: "GERMAN",
    course: `course_number="1A" course_title="GERMAN I"`,
    code: "25600",
    instructors: ["MULLER, E.", "O'NEILL-GARCI\u0301A, A."],
    comment: "<![CDATA[<p>&nbsp;&copy;</p>]]>",
  },
  {
    term: "2019-14",
    department: "HUM ART",
    course: `course_number="10" course_title="ART &amp; SOCIETY"`,
    code: "27000",
    instructors: ["\u00d8RSTED, H."],
    comment: "",
  },
  {
    term: "2019-92",
    department: "WOM STD",
    course: `course_number="20" course_title="TOPICS"`,
    code: "27100",
    instructors: ["MÜLLERSCHÖNHÄU, J."],
    comment: "",
  },
];

const NAMES_IN_XML: Readonly<Record<string, string>> = {
  GERMAN: "German",
  // Escaped twice, as the real system does.
  "HUM ART": "Humanities &amp;amp; Arts",
  "WOM STD": "Women&amp;rsquo;s Studies",
};

const toXml = (term: string, sections: readonly OddSection[]): string => `<?xml version="1.0" encoding="UTF-8"?>
<websoc_results><term><term_yyyyst>${term.replace("-", "")}</term_yyyyst></term><course_list>
${sections
  .map(
    ({ department, course, code, instructors, comment }) =>
      `<school school_code="10" school_name="School of Caf&eacute; Arts"><school_comment></school_comment><department dept_code="${department}" dept_name="${NAMES_IN_XML[department]}">
<course ${course}><section><course_code>${code}</course_code><sec_type>Lec</sec_type><sec_num>A</sec_num><sec_units>4</sec_units>
<sec_instructors>${instructors.map((name) => `<instructor>${name}</instructor>`).join("")}</sec_instructors>
<sec_meetings><sec_meet><sec_days>MWF&nbsp;</sec_days><sec_time>&nbsp;9:00- 9:50&nbsp;</sec_time><sec_bldg>ALP</sec_bldg><sec_room>2300</sec_room></sec_meet></sec_meetings>
<sec_enrollment><sec_max_enroll>30</sec_max_enroll><sec_enrolled>12</sec_enrolled><sec_enroll_requests>9</sec_enroll_requests></sec_enrollment>
<sec_status>OPEN</sec_status><sec_comment>${comment}</sec_comment></section></course></department></school>`,
  )
  .join("\n")}
</course_list><restriction_codes></restriction_codes></websoc_results>`;

/**
 * Searches like the real form: letters as they are written, except for case. The system itself stores entities as
 * letters.
 */
const spelled = (name: string): string => name.replace("&Uuml;", "Ü").replace("&nbsp;", " ").toUpperCase();

function search(form: URLSearchParams): string {
  const [term, department, instructor, ge] = ["YearTerm", "Dept", "InstrName", "Breadth"].map(
    (key) => form.get(key) ?? "",
  );
  const wanted = (instructor ?? "").toUpperCase();
  const matching = SECTIONS.filter(
    (section) =>
      section.term === term &&
      (department === "ALL" || section.department === department) &&
      (ge === "ANY" || (ge === "GE-4" && section.department === "HUM ART")) &&
      (wanted === "" ||
        section.instructors.some((name) =>
          wanted.endsWith(",")
            ? spelled(name).startsWith(wanted)
            : (spelled(name).split(",")[0] ?? "").includes(wanted),
        )),
  );
  if ((form.get("Submit") ?? "").includes("XML")) return toXml(term ?? "", matching);
  return page(
    matching.length === 0
      ? "<p>No courses matched your search criteria for this term.</p>"
      : `<table>${matching.map(({ code }) => `<tr><td>${code}</td></tr>`).join("")}</table>`,
  );
}

const classic = (title: string, ...paragraphs: string[]): string =>
  `<div class="courseblock"><p class="courseblocktitle"><strong>${title}</strong></p><div class="courseblockdesc">${paragraphs.map((text) => `<p>${text}</p>`).join("")}</div></div>`;
const inventory = (title: string, blocks: string): string =>
  page(`<h1 class="page-title">${title}</h1><div id="courseinventorycontainer">${blocks}</div>`);
const GERMAN_COURSES =
  classic("GERMAN&nbsp;1A.  Everyday German .  4 Units.", "First steps.", "(GE II or GE IV)") +
  `<div class="courseblock"><span class="detail-code">GERMAN&nbsp;1B.</span><span class="detail-title">More German .</span><span class="detail-hours_html">4 Units.</span><div class="courseblockextra">More.</div><span class="detail-gened">(General Education III or IV )</span></div>`;
const PEOPLE = [
  ["emuller", "Erik M&uuml;ller"],
  ["agarcia", "Ana O&rsquo;Neill-Garc&iacute;a"],
  ["hoersted", "Hans &Oslash;rsted"],
  ["jmueller", "J&uuml;rgen M&uuml;llersch&ouml;nh&auml;user"],
  ["nobody", "Nadia &#x141;o&#347;"],
] as const;

const PAGES: Readonly<Record<string, string>> = {
  "/catalogue/allcourses/": page(
    '<div id="atozindex"><ul><li><a href="german/">German</a></li><li><a href="humart/">Humanities</a></li><li><a href="womstd/">Studies</a></li></ul></div>',
  ),
  "/catalogue/allcourses/german/": inventory("German (GERMAN)", GERMAN_COURSES),
  "/catalogue/allcourses/humart/": inventory("Humanities &amp; Arts (HUM ART)", ""),
  "/catalogue/allcourses/womstd/": page(
    '<h1 class="page-title">Women&rsquo;s Studies (WOM STD)</h1><p>No courses.</p>',
  ),
  "/catalogue/schoolsandprograms/": page(
    '<div id="textcontainer"><h4><a href="/catalogue/arts/">School of Arts</a></h4></div>',
  ),
  "/catalogue/arts/": page(
    `<h1 class="page-title">School of Arts</h1><div id="facultycontainer">${PEOPLE.map(([, name]) => `<p class="faculty"><span class="name">${name}, Ph.D.</span></p>`).join("")}</div><div id="courseinventorycontainer">${GERMAN_COURSES}</div>`,
  ),
};

async function formOf(request: IncomingMessage): Promise<URLSearchParams> {
  let text = "";
  for await (const part of request) text += String(part);
  return new URLSearchParams(text);
}

/** Grade exports are dropped into a folder: they need no server. */
export const ODD_GRADES = `year,exact_year,quarter,dept,dept_code,number,code,section,title,type,instructor,A,B,C,D,F,P,NP,W,avg_gpa
2018-19,0,Spring,German,GERMAN,1A,25600,A,GERMAN I,LEC,"MULLER, E.",9,6,1,0,0,0,0,0,3.54
2018-19,,Spring,Humanities &amp; Arts,HUM ART,10,27000,A,ART & SOCIETY,LEC,"ORSTED, H.",0,0,0,0,0,8,1,0,
2019-20,2019,Fall,German,GERMAN,1A,25600,A,GERMAN I,LEC,"MULLER, E.",0,0,0,0,4,0,0,0,0
2019-20,0,Fall,Women’s Studies,WOM STD,20,27100,A,TOPICS,LEC,"MULLERSCHONHAU, J.",2,0,0,0,0,0,0,0,
`;

export interface OddUniversity {
  readonly env: Readonly<Record<string, string>>;
  /** Every search that was asked, as `<term> <department or category or instructor>`. */
  readonly searches: string[];
  close(): Promise<void>;
}

export async function startOddUniversity(): Promise<OddUniversity> {
  const searches: string[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const path = new URL(request.url ?? "", "http://x").pathname;
      const form = request.method === "POST" ? await formOf(request) : new URLSearchParams();
      const send = (type: string, text: string, status = 200) =>
        response.writeHead(status, { "content-type": `${type}; charset=utf-8` }).end(text);
      if (path === "/schedule" && !form.has("Submit")) return send("text/html", FORM);
      if (path === "/schedule") {
        const [dept, ge] = [form.get("Dept"), form.get("Breadth")];
        searches.push(`${form.get("YearTerm")} ${dept !== "ALL" ? dept : ge !== "ANY" ? ge : form.get("InstrName")}`);
        return send(form.get("Submit")?.includes("XML") ? "text/xml" : "text/html", search(form));
      }
      if (path === "/directory") {
        const hits = PEOPLE.map(([netid, name]) => [
          1,
          { Name: name, UCInetID: netid, Title: "Professor", Department: "German", Email: "", Nickname: "" },
        ]);
        return send("application/json", JSON.stringify(hits));
      }
      const content = PAGES[path];
      return content === undefined ? send("text/html", page("Not found"), 404) : send("text/html", content);
    })();
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    env: {
      SCHEDULE_URL: `${base}/schedule`,
      CATALOGUE_URL: `${base}/catalogue/`,
      DIRECTORY_URL: `${base}/directory`,
    },
    searches,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
