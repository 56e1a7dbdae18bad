import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "preact/jsx-runtime";
/** For addresses that lead nowhere. */
import { viewAddress } from "../data/addresses.ts";
import { PageTitle } from "../parts/page-title.tsx";
import { SearchField } from "../shell/search-field.tsx";
export const NotFoundView = () =>
  _jsxs(_Fragment, {
    children: [
      _jsx(PageTitle, { title: "Not found", children: "There is nothing at this address" }),
      _jsx("p", {
        children: "Perhaps the link was cut off. Search for a course, a person, a department or a section code:",
      }),
      _jsx(SearchField, { isLarge: true }),
      _jsxs("p", {
        children: [
          "Or begin at the ",
          _jsx("a", { href: viewAddress("/"), children: "home page" }),
          ", or ",
          _jsx("a", { href: viewAddress("/find"), children: "find classes" }),
          ".",
        ],
      }),
    ],
  });
