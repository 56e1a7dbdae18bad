/** Hears of changes in a folder: at once where the file system tells, a little later where it does not (as on network drives). */
import { type FSWatcher, watch } from "node:fs";

/** Calls `look` whenever something may have changed; returns how to stop. */
export type DirectoryWatch = (look: () => void) => () => void;

/** A flip must be noticed within a second, also where the file system tells nothing. */
const POLL_MS = 250;

/** Notices changes of the entries `names` of `folder`, which may come into being later; looks every `pollMs` in any case. */
export const watchDirectory =
  (folder: string, names: ReadonlySet<string>, pollMs = POLL_MS): DirectoryWatch =>
  (look) => {
    let watcher: FSWatcher | undefined;
    function attach(): void {
      try {
        watcher = watch(folder, { persistent: false }, (_event, name) => {
          if (name === null || names.has(name)) look();
        });
        watcher.on("error", detach);
      } catch {
        // Not there yet, or not to be watched: then it is looked at every so often.
      }
    }
    function detach(): void {
      watcher?.close();
      watcher = undefined;
    }
    attach();
    const timer = setInterval(() => {
      if (!watcher) attach();
      look();
    }, pollMs);
    return () => {
      clearInterval(timer);
      detach();
    };
  };
