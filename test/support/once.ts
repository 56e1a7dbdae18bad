/**
 * A resource that several test files only read, such as a published campus, opened on first use. The files of a process
 * share their modules, so it stays open until that process ends; its folders are among the temporary ones that are
 * removed after the last test.
 */
export function once<T>(open: () => Promise<T>): () => Promise<T> {
  let opened: Promise<T> | undefined;
  return () => (opened ??= open());
}
