/**
 * What several test files only read, such as a published campus: opened by the first that asks. The files of a process share their modules, so it stays
 * open until that process ends; its folders are among the temporary ones that go after the last test.
 */
export function once<T>(open: () => Promise<T>): () => Promise<T> {
  let opened: Promise<T> | undefined;
  return () => (opened ??= open());
}
