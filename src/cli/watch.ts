import { setTimeout as wait } from 'node:timers/promises';
import type { Config } from '../config/config.ts';
import type { Pipe } from '../server/invoke.ts';

/** Milliseconds for which a stdio server remembers whether an HTTP server watches. */
const HELD_TTL_MS = 1000;
/** Milliseconds before a start of monitoring that failed is tried again: the first time, and at most. */
const RETRY_MS = { first: 1000, most: 60_000 };

/** Monitoring by this process. */
export interface Watch {
  begin(): void;
  /** Starts nothing more; probes under way end with the services. */
  stop(): void;
  /** Lets another process have the monitors: after the services are closed. */
  release(): void;
}

/**
 * Has this process probe what is monitored, from `begin` on: an HTTP server always, a stdio server only as
 * long as no HTTP server of the data folder does. What prevents it (a busy database, an earlier server that is still
 * ending) is logged once for each reason, and the start is tried again until `stop`.
 */
export function createWatch(pipe: Pipe, config: Config, as: 'server' | 'stdio'): Watch {
  const stopping = new AbortController();
  const { signal } = stopping;
  let release: (() => void) | undefined;

  async function start(): Promise<void> {
    const { holdWatch, isWatchHeld } = await import('../storage/lock.ts');
    const monitor = await pipe.services.monitor();
    if (signal.aborted) return;
    if (as === 'server') release ??= holdWatch(config.data);
    let [held, until] = [false, 0];
    const isLeft = () => {
      if (as === 'stdio' && Date.now() >= until) {
        [held, until] = [isWatchHeld(config.data), Date.now() + HELD_TTL_MS];
      }
      return held;
    };
    const { check, monitorAlert, network, notification } = pipe.metrics;
    const events = { onCheck: check, onAlert: monitorAlert, onNetwork: network, onSent: notification };
    await monitor.startWorking(events, isLeft);
  }

  async function keepTrying(): Promise<void> {
    let logged = '';
    for (let pause = RETRY_MS.first; !signal.aborted; pause = Math.min(2 * pause, RETRY_MS.most)) {
      try {
        await start();
        if (logged !== '') pipe.log.info('monitoring runs now');
        return;
      } catch (err) {
        const why = err instanceof Error ? err.message : String(err);
        if (why !== logged) pipe.log.error({ err }, 'monitoring could not start; it is tried again');
        logged = why;
      }
      await wait(pause, undefined, { signal, ref: false }).catch(() => {});
    }
  }

  return {
    begin() {
      if (!config.readOnly) void keepTrying();
    },
    stop: () => stopping.abort(),
    release: () => release?.(),
  };
}
