import { isStartedByNpm } from '../config/config.ts';
import type { ProgramIo } from './io.ts';

const PARENT_INTERVAL_MS = 250;

export interface StopSignals {
  readonly signal: AbortSignal;
  release(): void;
}

/** Aborts at the first Ctrl-C or SIGTERM. A second Ctrl-C kills the process as usual. */
export function abortOnSignals({ signals }: ProgramIo): StopSignals {
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

/** Aborts like `abortOnSignals`. If npm started this process, also aborts when the parent process ends. */
export function abortOnServerStop(io: ProgramIo): StopSignals {
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
