import { isStartedByNpm } from '../config/config.ts';
import type { Io } from './io.ts';

/** Milliseconds between two checks whether the shell of `npm start` still runs. */
const PARENT_INTERVAL_MS = 250;

/** The wish that a run ends. */
export interface Stop {
  /** Aborted by Ctrl-C and SIGTERM. */
  readonly signal: AbortSignal;
  /** Takes the listeners away. */
  release(): void;
}

/** Follows Ctrl-C and SIGTERM. Each is taken once, so that a second Ctrl-C ends the process at once. */
export function followSignals({ signals }: Io): Stop {
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
 * `followSignals` for a server: under npm it also stops with the shell that npm started, since npm hands a signal to
 * that shell alone, which ends without passing it on.
 */
export function followServerStop(io: Io): Stop {
  const { signal, release } = followSignals(io);
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

/** Resolves once the signal is aborted. */
export function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
