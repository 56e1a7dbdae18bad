/** Where on the page of a course its parts are. */
const PARTS = [
  ["sections", "Sections"],
  ["graders", "Grades by instructor"],
  ["fill", "How fast it fills"],
  ["before-after", "Prerequisites"],
] as const;

export const JumpLinks = ({ hasConditions }: { hasConditions: boolean }) => (
  <nav class="jump" aria-label="Parts of this page">
    {PARTS.filter(([id]) => hasConditions || id !== "before-after").map(([id, words]) => (
      <a href={`#${id}`}>{words}</a>
    ))}
  </nav>
);
