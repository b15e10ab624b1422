import { isStartedByNpm } from '../config/config.ts';
import type { Io } from './io.ts';

/** Time in milliseconds between two checks whether the shell of `npm start` still runs. */
const PARENT_INTERVAL_MS = 250;

export interface StopSignals {
  /** Aborted by Ctrl-C and SIGTERM. */
  readonly signal: AbortSignal;
  release(): void;
}

/** Aborts on Ctrl-C and SIGTERM. Each is handled once, so a second Ctrl-C kills the process. */
export function abortOnSignals({ signals }: Io): StopSignals {
  const stop = new AbortController();
  const abort = () => stop.abort();
  signals.once('SIGINT', abort);
  signals.once('SIGTERM', abort);
  return {
    signal: stop.signal,
    release() {
      signals.off('SIGINT', abort);
      signals.off('SIGTERM', abort);
    },
  };
}

/**
 * For a server. Under npm it also stops when the parent shell ends: npm sends the signal only to that shell, which does not
 * forward it.
 */
export function abortOnServerStop(io: Io): StopSignals {
  const { signal, release } = abortOnSignals(io);
  if (!isStartedByNpm(io.env)) return { signal, release };
  const parent = io.parentId();
  const gone = new AbortController();
  const timer = setInterval(() => {
    if (io.parentId() !== parent) gone.abort();
  }, PARENT_INTERVAL_MS).unref();
  return {
    signal: AbortSignal.any([signal, gone.signal]),
    release() {
      clearInterval(timer);
      release();
    },
  };
}

export function waitForAbort(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
