/** The setting that decides which seats are open to the reader. */
import { storeIsNew, useIsNew } from "../data/new-student.ts";

export const NewStudentChoice = () => (
  <label class="check" title="Some seats are reserved for students who are new this term">
    <input type="checkbox" checked={useIsNew()} onChange={({ currentTarget }) => storeIsNew(currentTarget.checked)} />
    I am a new student
  </label>
);
