/** How a section filled: a curve for one section at a time, chosen from a list. */
import { enrollmentChart } from "./charts.js";
import { freshId, h } from "./element.js";
import { day, plural } from "./words.js";

const number = (text) => (/^\d+$/.test(text) ? Number(text) : undefined);

const daysOf = ({ dates, totalEnrolledHistory, maxCapacityHistory, waitlistHistory }) =>
  dates.map((date, i) => ({
    date,
    enrolled: number(totalEnrolledHistory[i]),
    capacity: number(maxCapacityHistory[i]),
    waitlist: number(waitlistHistory[i]),
  }));

function curve(record) {
  const days = daysOf(record);
  const [first, last] = [days[0], days.at(-1)];
  if (!first) return h("p", { class: "quiet" }, "This section was never seen.");
  if (days.length === 1)
    return h(
      "p",
      null,
      `Seen on one day so far, ${day(first.date)}: ${first.enrolled ?? "?"} of ${first.capacity ?? "?"} seats taken. Every refresh adds a day to the curve.`,
    );
  return enrollmentChart({
    title: `Section ${record.sectionCode}`,
    says: `${plural(days.length, "day")} seen: ${first.enrolled ?? "?"} of ${first.capacity ?? "?"} seats on ${day(first.date)}, ${last.enrolled ?? "?"} of ${last.capacity ?? "?"} on ${day(last.date)}.`,
    days,
  });
}

/** `records` are those of `/enrollmentHistory`; `chosen` is a section code. */
export function enrollmentCurves(records, chosen) {
  if (records.length === 0) return h("p", { class: "quiet" }, "No enrollment of this term has been recorded yet.");
  const rank = ({ sectionCode, dates }) => (String(sectionCode) === chosen ? Infinity : dates.length);
  const best = records.reduce((before, one) => (rank(one) > rank(before) ? one : before));
  const place = h("div", null, curve(best));
  const id = freshId("section");
  const choice = h(
    "select",
    { id },
    records.map(({ sectionCode, sectionType, sectionNum }) =>
      h(
        "option",
        { value: sectionCode, selected: sectionCode === best.sectionCode },
        `${sectionCode} ${sectionType} ${sectionNum}`,
      ),
    ),
  );
  choice.addEventListener("change", () => {
    const record = records.find(({ sectionCode }) => String(sectionCode) === choice.value);
    if (record) place.replaceChildren(curve(record));
  });
  return h(
    "div",
    null,
    records.length > 1 && h("p", { class: "choice" }, h("label", { for: id }, "Section "), choice),
    place,
  );
}
