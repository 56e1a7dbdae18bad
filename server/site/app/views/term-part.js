import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "preact/jsx-runtime";
/** Sections and enrollment of one term, with a choice of terms. */
import { useEffect, useId, useState } from "preact/hooks";
import { addressOf, fetchJson, errorMessage } from "../fetch-json.ts";
import { ChangeList, changesAddress, fetchChanges } from "../changes.tsx";
import { Follow } from "../follow.tsx";
import { EnrollmentCurves } from "../charts/enrollment.tsx";
import { JsonLink } from "../links.tsx";
import { toSectionLines, SectionTable } from "./sections.tsx";
import { publishedTerms, termQuery } from "../terms.ts";
import { plural } from "../format.ts";
const MAX_TERMS_TRIED = 6;
async function fetchTerm(term, { filter, history }, signal) {
  const schedule = { ...termQuery(term), ...filter, cacheOnly: "true" };
  const address = addressOf("/schedule", { ...schedule, cancelledCourses: "Include" });
  const [all, cancelled] = await Promise.all([
    fetchJson(address, signal),
    fetchJson(addressOf("/schedule", { ...schedule, cancelledCourses: "Only" }), signal),
  ]);
  const sections = toSectionLines(all, cancelled);
  if (!history || sections.length === 0) return { term, address, sections };
  const query = { ...termQuery(term), ...history };
  const past = addressOf("/enrollmentHistory", query);
  const followed = changesAddress(query);
  const [records, changes] = await Promise.all([fetchJson(past, signal), fetchChanges(followed, signal)]);
  return { term, address, sections, past: { address: past, records, changes, changesAddress: followed } };
}
/** The requested term, or the newest of `terms` with sections; undefined without any term. */
export async function fetchFirstTerm(request, terms, requested, signal) {
  let found;
  for (const term of requested ? [requested] : terms.slice(0, MAX_TERMS_TRIED)) {
    found = await fetchTerm(term, request, signal);
    if (found.sections.length > 0) break;
  }
  return found;
}
export function TermPart({ request, first, chosen, onTermChange, withCourse = false }) {
  const id = useId();
  const [term, setTerm] = useState(first?.term);
  const [shown, setShown] = useState(first);
  useEffect(() => {
    if (term === undefined || term === shown?.term) return undefined;
    const controller = new AbortController();
    fetchTerm(term, request, controller.signal).then(setShown, (error) => {
      if (!controller.signal.aborted) setShown({ term, problem: errorMessage(error) });
    });
    return () => controller.abort();
  }, [term]);
  if (!shown) return _jsx("p", { class: "quiet", children: "No term of the schedule is published." });
  const choose = (next) => {
    onTermChange?.(next);
    setTerm(next);
  };
  return _jsxs("div", {
    children: [
      _jsxs("p", {
        class: "choice",
        children: [
          _jsx("label", { for: id, children: "Term " }),
          _jsx("select", {
            id: id,
            value: term,
            onChange: ({ currentTarget }) => choose(currentTarget.value),
            children: publishedTerms().map((one) => _jsx("option", { value: one, children: one })),
          }),
        ],
      }),
      _jsx("div", {
        "aria-busy": term !== shown.term,
        children:
          "problem" in shown
            ? _jsx("p", { role: "alert", class: "problem", children: shown.problem })
            : _jsx(
                OneTerm,
                {
                  request: request,
                  initial: shown,
                  chosen: shown === first ? chosen : undefined,
                  withCourse: withCourse,
                },
                shown.term,
              ),
      }),
    ],
  });
}
/** Several changes are published at once. */
const RELOAD_AFTER_MS = 300;
function OneTerm({ request, initial, chosen, withCourse }) {
  const [data, setData] = useState(initial);
  const [news, setNews] = useState([]);
  useEffect(() => {
    if (news.length === 0) return undefined;
    const controller = new AbortController();
    const load = () => fetchTerm(data.term, request, controller.signal).then(setData, () => undefined);
    const timer = setTimeout(load, RELOAD_AFTER_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [news]);
  const { term, address, sections, past } = data;
  const changes = [...(initial.past?.changes ?? []), ...news];
  const caption = `${plural(sections.length, "section")} in ${term}, as of the last refresh`;
  return _jsxs(_Fragment, {
    children: [
      sections.length === 0
        ? _jsxs("p", { class: "quiet", children: ["No sections in ", term, "."] })
        : _jsx(SectionTable, { sections: sections, caption: caption, chosen: chosen, withCourse: withCourse }),
      _jsx(JsonLink, { name: "these sections", address: address }),
      past &&
        _jsxs(_Fragment, {
          children: [
            _jsxs("h2", { children: ["Enrollment in ", term] }),
            _jsx(EnrollmentCurves, {
              records: past.records,
              sections: sections,
              changes: changes,
              chosen: chosen,
              address: past.address,
            }),
            _jsx(JsonLink, { name: "this enrollment history", address: past.address }),
            _jsxs("h2", { children: ["Changes in ", term] }),
            past.changes
              ? _jsxs(_Fragment, {
                  children: [
                    _jsx(Follow, {
                      address: past.changesAddress,
                      onChange: (change) => setNews((before) => [...before, change]),
                    }),
                    _jsx(ChangeList, { changes: changes, term: term }),
                    _jsx(JsonLink, { name: "these changes", address: past.changesAddress }),
                  ],
                })
              : _jsx("p", { class: "quiet", children: "Changes are not available at the moment." }),
          ],
        }),
    ],
  });
}
