import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "preact/jsx-runtime";
/** Where a student begins. */
import { useTerm, termTitle } from "../data/terms.ts";
import { PageTitle } from "../parts/page-title.tsx";
import { SearchField } from "../shell/search-field.tsx";
export function HomeView() {
  const term = useTerm();
  return _jsxs(_Fragment, {
    children: [
      _jsx(PageTitle, { title: termTitle(term), children: "What do you want to take?" }),
      _jsx(SearchField, { isLarge: true }),
    ],
  });
}
