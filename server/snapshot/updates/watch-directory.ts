/** Watches a directory, with polling for file systems that send no events (network drives). */
import { type FSWatcher, watch } from "node:fs";

/** Calls `onChange` whenever something may have changed; returns a function that stops it. */
export type DirectoryWatch = (onChange: () => void) => () => void;

/** A new generation must be served within a second even without events. */
const POLL_MS = 250;

/** Watches the entries `names` of `folder`, which may not exist yet. */
export const watchDirectory =
  (folder: string, names: ReadonlySet<string>, pollMs = POLL_MS): DirectoryWatch =>
  (onChange) => {
    let watcher: FSWatcher | undefined;
    function attach(): void {
      try {
        watcher = watch(folder, { persistent: false }, (_event, name) => {
          if (name === null || names.has(name)) onChange();
        });
        watcher.on("error", detach);
      } catch {
        // Missing or not watchable: polling covers it.
      }
    }
    function detach(): void {
      watcher?.close();
      watcher = undefined;
    }
    attach();
    const timer = setInterval(() => {
      if (!watcher) attach();
      onChange();
    }, pollMs);
    return () => {
      clearInterval(timer);
      detach();
    };
  };
