/** The part of a result that belongs to one term: its sections and their enrollment, with a choice of terms. */
import { addressOf, ask } from "./ask.js";
import { freshId, h } from "./element.js";
import { enrollmentCurves } from "./enrollment.js";
import { jsonLinks } from "./json-links.js";
import { sectionTable, sectionsIn } from "./sections.js";
import { plural } from "./words.js";

/** The published terms, newest first. */
export const publishedTerms = () => (document.body.dataset.terms ?? "").split(",").filter((term) => term !== "");

const queryOf = (term) => {
  const [year, quarter] = term.split(" ");
  return { year, quarter };
};

/** How many of the newest terms are tried for one that has sections. */
const TRIES = 6;

async function fetchTerm(term, filter, signal) {
  const address = addressOf("/schedule", { ...queryOf(term), ...filter, cacheOnly: "true" });
  return { term, address, sections: sectionsIn(await ask(address, signal)) };
}

async function newestWithSections(terms, filter, signal) {
  let found;
  for (const term of terms.slice(0, TRIES)) {
    found = await fetchTerm(term, filter, signal);
    if (found.sections.length > 0) break;
  }
  return found;
}

/**
 * `filter` are parameters of the schedule; `history` those of the enrollment history (undefined = no curve). `terms`: those worth trying, newest
 * first. `asked`: { term, section } of the address; `remember` writes the chosen term back to it.
 */
export async function termPart({ filter, history, terms, asked, remember, withCourse, signal }) {
  if (terms.length === 0) return h("p", { class: "quiet" }, "No term of the schedule is published.");
  const place = h("div");
  const id = freshId("term");
  const choice = h(
    "select",
    { id },
    publishedTerms().map((term) => h("option", { value: term }, term)),
  );

  async function show({ term, address, sections }, chosen) {
    choice.value = term;
    const caption =
      sections.length === 0
        ? `No sections in ${term}.`
        : `${plural(sections.length, "section")} in ${term}, as of the last refresh`;
    const past = addressOf("/enrollmentHistory", { ...queryOf(term), ...history });
    const parts = [
      sections.length === 0
        ? h("p", { class: "quiet" }, caption)
        : sectionTable(sections, { caption, chosen, withCourse }),
      jsonLinks([["these sections", address]]),
    ];
    if (history && sections.length > 0) {
      const records = await ask(past, signal);
      parts.push(
        h("h3", null, `Enrollment in ${term}`),
        enrollmentCurves(records, chosen),
        jsonLinks([["this enrollment history", past]]),
      );
    }
    place.replaceChildren(...parts);
  }

  choice.addEventListener("change", async () => {
    remember?.(choice.value);
    place.setAttribute("aria-busy", "true");
    try {
      await show(await fetchTerm(choice.value, filter, signal));
    } catch (error) {
      if (error.name !== "AbortError")
        place.replaceChildren(h("p", { role: "alert", class: "problem" }, error.message));
    }
    place.removeAttribute("aria-busy");
  });
  const first = asked?.term
    ? await fetchTerm(asked.term, filter, signal)
    : await newestWithSections(terms, filter, signal);
  await show(first, asked?.section);
  return h("div", null, h("p", { class: "choice" }, h("label", { for: id }, "Term "), choice), place);
}
