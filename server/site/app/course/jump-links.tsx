/** Where on the page of a course its parts are. */
const PARTS = [
  ["sections", "Sections"],
  ["graders", "Who grades how"],
  ["fill", "How fast it fills"],
  ["before-after", "Before and after"],
] as const;

export const JumpLinks = ({ hasConditions }: { hasConditions: boolean }) => (
  <nav class="jump" aria-label="Parts of this page">
    {PARTS.filter(([id]) => hasConditions || id !== "before-after").map(([id, words]) => (
      <a href={`#${id}`}>{words}</a>
    ))}
  </nav>
);
