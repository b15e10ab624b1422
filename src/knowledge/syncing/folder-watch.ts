import { type FSWatcher, watch } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import type { FolderWatch } from '../types.ts';

const QUIET_MS = 700;
const MOST_MS = 10_000;
/** Milliseconds between reads of the folder if the system reports changes. Systems may lose some reports. */
const RESCAN_MS = 60_000;
/** Milliseconds between reads of the folder if the system reports no changes. */
const DEAF_MS = 5_000;

/** Watches a folder for changes that the system reports. Without such reports, the caller should read the folder every 5 s. */
export function watchFolder(root: string): FolderWatch {
  let last: number | undefined;
  let first: number | undefined;
  let deaf = false;
  let wake = () => {};
  const note = () => {
    last = performance.now();
    first ??= last;
    wake();
  };
  let watcher: FSWatcher | undefined;
  const fail = () => {
    deaf = true;
    watcher?.close();
  };
  try {
    watcher = watch(root, { recursive: true, persistent: true }, note);
    watcher.on('error', fail);
  } catch {
    fail();
  }

  return {
    async changed(signal) {
      const began = performance.now();
      while (!signal.aborted) {
        const now = performance.now();
        const due =
          last === undefined || first === undefined
            ? began + (deaf ? DEAF_MS : RESCAN_MS)
            : Math.min(last + QUIET_MS, first + MOST_MS);
        if (now >= due) break;
        const { promise: woken, resolve } = Promise.withResolvers<void>();
        wake = resolve;
        const timer = new AbortController();
        const stop = AbortSignal.any([signal, timer.signal]);
        await Promise.race([woken, setTimeout(due - now, undefined, { signal: stop }).catch(() => {})]);
        timer.abort();
      }
      [first, last] = [undefined, undefined];
    },
    close() {
      watcher?.close();
    },
  };
}
