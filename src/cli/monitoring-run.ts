import { setTimeout as wait } from 'node:timers/promises';
import type { Config } from '../config/config.ts';
import type { OperationPipeline } from '../server/invoke.ts';

const HELD_TTL_MS = 1000;
const RETRY_MS = { first: 1000, most: 60_000 };

export type MonitoringRun = ReturnType<typeof createMonitoringRun>;

/** `begin` starts monitoring. A stdio server pauses it while an HTTP server uses the same data folder. */
export function createMonitoringRun(pipe: OperationPipeline, config: Config, as: 'server' | 'stdio') {
  const stopping = new AbortController();
  const { signal } = stopping;
  let release: (() => void) | undefined;

  async function start(): Promise<void> {
    const { takeMonitorLock, isMonitorLockHeld } = await import('../storage/lock.ts');
    const monitor = await pipe.services.monitor();
    if (signal.aborted) return;
    if (as === 'server') release ??= takeMonitorLock(config.data);
    let [held, until] = [false, 0];
    const isLeft = () => {
      if (as === 'stdio' && Date.now() >= until) {
        [held, until] = [isMonitorLockHeld(config.data), Date.now() + HELD_TTL_MS];
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
    /** Allows another process to monitor. Call it after the services are closed. */
    release: () => release?.(),
  };
}
