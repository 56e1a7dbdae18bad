/** One section in words, its enrollment and its changes. */
import { PageTitle } from "../parts/page-title.tsx";

export const SectionView = ({ year, quarter, code }: { year: string; quarter: string; code: string }) => (
  <PageTitle title={`${code} · ${quarter} ${year}`}>Section {code}</PageTitle>
);
