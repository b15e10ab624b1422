import { createRequire } from 'node:module';
import { getWaitingJobShare } from './lib/concurrency/waiting-job-share.ts';
import { countWaitingJobs } from './lib/concurrency/waiting-jobs.ts';
import definitions from './metrics.json' with { type: 'json' };

export interface MetricSample {
  readonly value: number;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly metricName?: string;
}

export interface MetricFamily {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly values: readonly MetricSample[];
}

export interface Metrics {
  observe(operation: string, via: string, outcome: string, seconds: number): void;
  alert(kind: string): void;
  /** `check` counts a probe, `monitorAlert` a raised or cleared alert, `notification` an attempt to send. */
  check(name: string, outcome: string, seconds: number): void;
  monitorAlert(event: string): void;
  notification(channel: string, outcome: string): void;
  network(isUp: boolean): void;
  render(): Promise<{ readonly type: string; readonly text: string }>;
  read(): Promise<readonly MetricFamily[]>;
}

export const noMetrics: Metrics = {
  observe() {},
  alert() {},
  check() {},
  monitorAlert() {},
  notification() {},
  network() {},
  render: async () => ({ type: 'text/plain', text: '' }),
  read: async () => [],
};

/** Creates metrics for Prometheus, whose library is loaded when a metric is first counted or read. */
export function createMetrics(version: string): Metrics {
  let made: Metrics | undefined;
  return new Proxy(noMetrics, {
    get(_, name: keyof Metrics) {
      made ??= createRegistry(version);
      return made[name];
    },
  });
}

function createRegistry(version: string): Metrics {
  const { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } = createRequire(import.meta.url)(
    'prom-client',
  ) as typeof import('prom-client');
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  new Gauge({ ...definitions.info, registers }).set({ version }, 1);
  new Gauge({
    name: 'magpie_jobs_waiting',
    help: 'Jobs (pages, files, texts, scans) that wait for a worker of this process, and its part of those that wait for any node',
    registers,
    collect() {
      this.set(countWaitingJobs() + getWaitingJobShare());
    },
  });
  const calls = new Counter({ ...definitions.calls, registers });
  const duration = new Histogram({ ...definitions.duration, registers });
  const alerts = new Counter({ ...definitions.alerts, registers });
  const checks = new Histogram({ ...definitions.checks, registers });
  const monitorAlerts = new Counter({ ...definitions.monitorAlerts, registers });
  const notifications = new Counter({ ...definitions.notifications, registers });
  const network = new Gauge({ ...definitions.network, registers });
  network.set(1);
  // Caches the counter of each combination of labels, because `calls.labels` is slow.
  const counterOf = kept((operation: string, via: string, outcome: string) =>
    calls.labels({ operation, via, outcome }),
  );
  const histogramOf = kept((operation: string) => duration.labels({ operation }));
  return {
    alert: (kind) => alerts.inc({ kind }),
    check: (check, outcome, seconds) => checks.observe({ check, outcome }, seconds),
    monitorAlert: (event) => monitorAlerts.inc({ event }),
    network: (isUp) => network.set(isUp ? 1 : 0),
    notification: (channel, outcome) => notifications.inc({ channel, outcome }),
    observe(operation, via, outcome, seconds) {
      counterOf(operation, via, outcome).inc();
      histogramOf(operation).observe(seconds);
    },
    read: async () =>
      (await registry.getMetricsAsJSON()).map((one) => ({
        ...one,
        type: String(one.type),
      })) as MetricFamily[],
    render: async () => ({ type: registry.contentType, text: await registry.metrics() }),
  };
}

function kept<Words extends string[], T>(make: (...words: Words) => T): (...words: Words) => T {
  const known = new Map<string, T>();
  return (...words) => {
    const name = words.join(' ');
    let found = known.get(name);
    if (found === undefined) {
      found = make(...words);
      known.set(name, found);
    }
    return found;
  };
}
