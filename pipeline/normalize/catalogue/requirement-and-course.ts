/** A row of the registrar's requirements and the course of the catalogue (pipeline/RULES.md, Contradictions). */
import type { Join } from "../reconcile.ts";
import { isSameTitle } from "../titles.ts";

interface Titled {
  readonly title: string;
}

/** Joined by the course's name, or its former name; the catalogue wins the title. */
export const REQUIREMENT_AND_COURSE: Join<Titled, Titled, "title"> = {
  left: "the requirement",
  right: "the course",
  facts: {
    title: {
      name: "title",
      left: ({ title }) => title,
      right: ({ title }) => title,
      compare: ([left, right]) => (isSameTitle(left, right) ? "same" : "other"),
      wins: "right",
    },
  },
  isRefused: () => false,
};
