import { jsxs as _jsxs } from "preact/jsx-runtime";
/** One section in words, its enrollment and its changes. */
import { PageTitle } from "../parts/page-title.tsx";
export const SectionView = ({ year, quarter, code }) =>
  _jsxs(PageTitle, { title: `${code} · ${quarter} ${year}`, children: ["Section ", code] });
