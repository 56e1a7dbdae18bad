/** Calls the functions of `pipeline/parse` with a text; for whole pages and files, see `parse/declared-parsers.ts`. */
import { createTally } from "../../../pipeline/contract/documents/tally.ts";
import * as boundedJson from "../../../pipeline/parse/bounded-json.ts";
import * as commaRows from "../../../pipeline/parse/comma-rows.ts";
import * as boundedRows from "../../../pipeline/parse/bounded-rows.ts";
import * as calendarHeading from "../../../pipeline/parse/calendar-heading.ts";
import * as catalogue from "../../../pipeline/parse/catalogue-html.ts";
import * as cellLines from "../../../pipeline/parse/cell-lines.ts";
import { readOptions } from "../../../pipeline/parse/form-options.ts";
import * as htmlPage from "../../../pipeline/parse/html-page.ts";
import { parseTree } from "../../../pipeline/parse/html-tree.ts";
import { labelLines } from "../../../pipeline/parse/label-lines.ts";
import * as elements from "../../../pipeline/parse/schedule/schedule-elements.ts";
import * as scheduleText from "../../../pipeline/parse/schedule/schedule-text.ts";
import { parseGradeSheet } from "../../../pipeline/parse/sheets/grades-sheet.ts";
import { parseSheetHeader, sheetFields } from "../../../pipeline/parse/sheets/sheet-header.ts";
import { cellLines as cellLinesOf, cellText, parseSheetTables } from "../../../pipeline/parse/sheets/sheet-table.ts";
import * as values from "../../../pipeline/parse/sheets/sheet-values.ts";
import { createUnsavedFormulas } from "../../../pipeline/parse/sheets/unsaved-formulas.ts";
import { checkWorkbook } from "../../../pipeline/parse/sheets/workbook-check.ts";
import { namesTwice, sheetParts } from "../../../pipeline/parse/sheets/workbook-sheets.ts";
import { gridOf } from "../../../pipeline/parse/table-grid.ts";
import { toZip } from "../../support/upstream/workbook.ts";
import { PAGES, SHEET, WORKBOOK_PARTS } from "../parse/parser-fixtures.ts";
import { linesIn, reads, type TextReaders } from "./reader.ts";

const page = (text: string) => htmlPage.parsePage("test", text);
const TABLE =
  '<table><tr><td rowspan="0" style="margin-left: 9px">a<br>&nbsp;b<sup>1</sup></td><th colspan=2>c</th></tr></table>';
const DEEP = `${"<i>".repeat(400)}${"</i>".repeat(400)}`;
const HEADING = '<p class="courseblocktitle">MATH 2A.  Calculus.  4 Units.</p>';
const LABEL = "Enrollment\n returning (new)\n  graduate\nMay 18 –\nJun 3\n(observed)\ngraduate: May 18";

/** The lines of a cell as the calendar's reader has them. */
const toLines = (text: string) => {
  const cell = page(`<table><td>${linesIn(text).join("<br>").replaceAll(" ", "&nbsp;")}</td></table>`);
  return cell("td")
    .toArray()
    .flatMap((element) => cellLines.linesOfCell(cell, element));
};
const inWorkbook = (name: string) => (text: string) =>
  checkWorkbook(toZip(WORKBOOK_PARTS.map((part) => (part.name === name ? { name, content: text } : part))));
const readSheet = async (text: string) => {
  const tally = createTally("grades");
  return [await parseGradeSheet("a.csv", Buffer.from(text), tally), tally.report("published", 0)];
};
const EXAMPLES = {
  term: reads(values.parseSheetTerm, "Summer Session 1", "FALL"),
  count: ["1,024", "1.024", "1 024", "12.00", "06041"],
};

export const PARSE_READERS: TextReaders = {
  "parse/bounded-json.ts": {
    parseBoundedJson: reads((text) => {
      try {
        return boundedJson.parseBoundedJson("test", text);
      } catch (error) {
        if (!(error instanceof SyntaxError)) throw error;
        return undefined;
      }
    }, '[[12.5,{"Name":"O\\"V","Title":null}]]'),
  },
  "parse/bounded-rows.ts": {
    boundedLines: reads((text) => boundedRows.boundedLines("test")(text), "a,b\r\nc,d\n"),
    boundedRows: reads((text) => boundedRows.boundedRows("test").on_record(text.split(",")), "a,b"),
  },
  "parse/comma-rows.ts": {
    createCommaRows: reads((text) => {
      const row = commaRows.createCommaRows("test");
      row.add(text);
      row.add(undefined);
      try {
        while (row.next());
      } catch (error) {
        return error;
      }
      return row.line();
    }, 'a,"b ""c"" d",e\r\nf, "g,\nh" ,i\n'),
    commaValues: reads(commaRows.commaValues, 'a,"b ""c"" d",e', 'f, "g,\nh" ,i'),
  },
  "parse/calendar-heading.ts": {
    termOfHeading: reads(
      calendarHeading.termOfHeading,
      "Summer Session II (10-week) 2027",
      "10-wk summer ’27",
      "2026 Fall Quarter, 2026-27 – draft",
    ),
    academicYearIn: reads(calendarHeading.academicYearIn, "Calendar 2026 – 2027", "2026-27"),
  },
  "parse/catalogue-html.ts": {
    hrefsOf: reads((text) => catalogue.hrefsOf(page(text), page(text)("a[href]")), '<li><a href="/m/">M (M)</a></li>'),
    courseCodesOf: reads(
      (text) => catalogue.courseCodesOf(page(text), page(text)("body")),
      `<div class="courseblock">${HEADING}</div>`,
      '<div class="courseblock"><span class="detail-code">I&amp;C SCI H32.</span></div>',
    ),
    parseCatalogueDepartment: reads(
      (text) =>
        catalogue.parseCatalogueDepartment(
          text.includes("<h1") ? text : PAGES.parseCatalogueDepartment["since 2025"].replace("2-4 Units.", text),
        ),
      ".5 - 4.5 Workload Units. 2 Units.",
    ),
  },
  "parse/cell-lines.ts": {
    linesOfCell: reads((text) => {
      const cells = page(text);
      return cells("td, th")
        .toArray()
        .map((cell) => cellLines.linesOfCell(cells, cell));
    }, TABLE),
  },
  "parse/element-bounds.ts": { createElementBounds: null },
  "parse/form-options.ts": {
    readOptions: reads(
      (text) => readOptions(page(text), page(text)("select")),
      "<select><optgroup disabled><option value='0'>-- Select one --</option><option>A</select>",
    ),
  },
  "parse/html-page.ts": {
    parsePage: reads(page, TABLE, `<table>${"<b></b>x"}`, DEEP),
    textOf: reads((text) => htmlPage.textOf(page(text)("td")), TABLE),
    linesOf: reads((text) => htmlPage.linesOf(page(text)("td")), TABLE),
    requireWhole: reads((text) => htmlPage.requireWhole("test", "table", page(text)("table")), TABLE),
  },
  "parse/html-tree.ts": { parseTree: reads((text) => parseTree("test", text), TABLE, "<!-- a --><p id=b>c", DEEP) },
  "parse/label-lines.ts": {
    labelLines: reads((text) => labelLines(toLines(text), [toLines(text), toLines("May 18")]), LABEL),
  },
  "parse/schedule/schedule-elements.ts": {
    isSchedulePlace: reads(elements.isSchedulePlace, "section"),
    isKnownInSchedule: reads((text) => elements.isKnownInSchedule("element", text, text), "section"),
    newSection: null,
  },
  "parse/schedule/schedule-text.ts": {
    toPlainText: reads(scheduleText.toPlainText, "I&amp;amp;C&nbsp;SCI &#38;#38; &am&#112;; \u0092", "&#3&#56;;"),
    toHtml: reads(scheduleText.toHtml, "<b>a&amp;nbsp;&amp;amp;#160;&amp;#xa0;b</b>"),
  },
  "parse/sheets/grades-sheet.ts": { parseGradeSheet: reads(readSheet, SHEET) },
  "parse/sheets/sheet-header.ts": {
    parseSheetHeader: reads((text) => parseSheetHeader(text.split(",")), SHEET.split("\n")[0] ?? ""),
    sheetFields: reads(sheetFields, "a.csv"),
  },
  "parse/sheets/sheet-table.ts": {
    parseSheetTables: reads(
      (text) => parseSheetTables("a.csv", Buffer.from(text)),
      SHEET,
      'sep=;\na;"b, c"\r\n"""";\n',
    ),
    cellLines: reads(cellLinesOf, "VANE,\r\n IDA\nMOSS"),
    cellText: reads(cellText, "METH&amp;APP &#39;X&#x92;"),
  },
  "parse/sheets/sheet-values.ts": {
    parseSheetTerm: EXAMPLES.term,
    parseCalendarYear: reads((text) => values.parseCalendarYear(text, "."), ...EXAMPLES.count),
    parseAcademicYear: reads((text) => values.parseAcademicYear(text, "Fall"), "2014 – 15"),
    parseSectionCode: reads((text) => values.parseSectionCode(text, ","), ...EXAMPLES.count),
    decimalSignOf: reads((text) => values.decimalSignOf([text, ...linesIn(text)], ";"), "3,45\n.5"),
    isAmbiguous: reads(values.isAmbiguous, ...EXAMPLES.count),
    parseCount: reads((text) => [values.parseCount(text, "."), values.parseCount(text, ",")], ...EXAMPLES.count),
    isNoAverage: reads(values.isNoAverage, "n / a", "- T.B.D."),
    parseAverage: reads(values.parseAverage, "3.456", ",5"),
  },
  "parse/sheets/unsaved-formulas.ts": {
    createUnsavedFormulas: reads((text) => {
      const formulas = createUnsavedFormulas();
      for (const part of ["xl/workbook.xml", "xl/_rels/workbook.xml.rels", "xl/worksheets/sheet1.xml"])
        formulas.add(part, Buffer.from(text));
      return formulas.mark(0, [["A"]]);
    }, '<calcPr fullCalcOnLoad="1"/><sheet r:id="a"/><Relationship Id="a" Target="worksheets/sheet1.xml"/><row r="2"><c r="B2"><f>A1</f><v>0</v></c></row>'),
  },
  "parse/sheets/workbook-check.ts": {
    checkWorkbook: reads(inWorkbook("xl/worksheets/sheet1.xml"), "<c r=\"AB12\" t = 's'><v>0</v></c>&#x96;&amp;#0;"),
  },
  "parse/sheets/workbook-sheets.ts": {
    sheetParts: reads(
      (text) => sheetParts(text, text),
      '<x:sheet name="a" r:id = "rId1"/><Relationship Id="rId1" Target="/xl/a.xml"/>',
    ),
    namesTwice: reads(
      (text) => namesTwice("xl/workbook.xml", Buffer.from(text)),
      '<x:sheet name="a" r:id = "rId1"/><sheets><sheet ',
    ),
  },
  "parse/table-grid.ts": {
    gridOf: reads((text) => {
      const tables = page(text);
      return tables("table")
        .toArray()
        .map((table) => gridOf(tables, table));
    }, TABLE),
  },
};
