/**
 * The styles of all views but home. They come with the script of the first of these views, because the build loads the
 * files of this folder together.
 */
import charts from "../styles/charts.css?text";
import course from "../styles/course.css?text";
import explained from "../styles/explained.css?text";
import find from "../styles/find.css?text";
import lists from "../styles/lists.css?text";
import programs from "../styles/programs.css?text";
import section from "../styles/section.css?text";
import sections from "../styles/sections.css?text";
import sql from "../styles/sql.css?text";
import tables from "../styles/tables.css?text";

const styles = new CSSStyleSheet();
// A rule takes precedence over those of the files before it.
styles.replaceSync([tables, lists, sections, charts, sql, programs, section, course, explained, find].join("\n"));
document.adoptedStyleSheets.push(styles);
