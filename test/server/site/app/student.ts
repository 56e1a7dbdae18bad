/** What a student does on the site: begins at home, searches, and counts steps, of which no task takes more than three. */
import { afterEach, expect } from "vitest";
import type { Section } from "../../../../pipeline/contract/rows/section.ts";
import type { OpenedPage } from "./opened-page.ts";

interface Schedule {
  readonly schools: readonly {
    readonly departments: readonly {
      readonly courses: readonly {
        readonly deptCode: string;
        readonly courseNumber: string;
        readonly sections: readonly Section[];
      }[];
    }[];
  }[];
}

interface World {
  readonly url: string;
  json<T>(path: string): Promise<T>;
}

/** Each test has three steps. */
export function asStudent<W extends World>(opened: OpenedPage<W>) {
  const ask = <T>(path: string): Promise<T> => opened.world.json<T>(path);
  let steps = 0;
  afterEach(() => {
    expect(steps).toBeLessThanOrEqual(3);
    steps = 0;
  });
  const step = async (action: Promise<unknown>): Promise<void> => {
    steps += 1;
    await action;
  };
  /** Types into the header's search and presses Enter. */
  async function typed(words: string): Promise<void> {
    await opened.page.keyboard.press("Control+k");
    await opened.page.keyboard.type(words);
    await opened.page.keyboard.press("Enter");
  }
  return {
    ask,
    step,
    search: (words: string) => step(typed(words)),
    /** Opens the home page; `stored` is what the browser keeps from earlier visits. */
    async home(stored: Readonly<Record<string, unknown>> = {}): Promise<void> {
      await opened.visit("/");
      for (const [name, value] of Object.entries(stored))
        await opened.page.evaluate(
          `localStorage.setItem(${JSON.stringify(name)}, ${JSON.stringify(JSON.stringify(value))})`,
        );
      if (Object.keys(stored).length > 0) await opened.page.reload();
      await opened.page.getByRole("search", { name: "Search this site" }).getByRole("combobox").waitFor();
    },
    /** Returns the text of the row that has these words. */
    async row(selector: string, words: string): Promise<string> {
      await opened.sees(selector, words);
      return opened.text(`${selector}:has-text("${words}")`);
    },
    /** Returns the sections that the API has for a query of `/schedule`. */
    sectionsOf: async (query: string) =>
      (await ask<Schedule>(`/schedule?${query}`)).schools
        .flatMap(({ departments }) => departments.flatMap(({ courses }) => courses))
        .flatMap(({ sections, ...course }) => sections.map((section) => ({ ...course, ...section }))),
  };
}
