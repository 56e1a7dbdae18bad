/** If a section is open to the reader. */
import type { SectionLine } from "./sections.ts";

/** As `fullCourses=SkipFull` of the API, without the sections whose last seats are reserved for new students. */
export const isOpen = ({ status, isCancelled }: Pick<SectionLine, "status" | "isCancelled">, isNew: boolean): boolean =>
  !isCancelled && status !== "FULL" && status !== "Waitl" && (isNew || status !== "NewOnly");
