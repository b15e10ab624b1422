import { createRequire } from 'node:module';
import { getWaitingJobShare } from './lib/concurrency/waiting-job-share.ts';
import { countWaitingJobs } from './lib/concurrency/waiting-jobs.ts';

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
  const metrics = () => {
    made ??= createRegistry(version);
    return made;
  };
  return {
    observe: (...call) => metrics().observe(...call),
    alert: (kind) => metrics().alert(kind),
    check: (...check) => metrics().check(...check),
    monitorAlert: (event) => metrics().monitorAlert(event),
    notification: (...sent) => metrics().notification(...sent),
    network: (isUp) => metrics().network(isUp),
    render: () => metrics().render(),
    read: () => metrics().read(),
  };
}

function createRegistry(version: string): Metrics {
  const { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } = createRequire(import.meta.url)(
    'prom-client',
  ) as typeof import('prom-client');
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: 'magpie_info',
    help: 'The running version',
    labelNames: ['version'],
    registers: [registry],
  }).set({ version }, 1);
  new Gauge({
    name: 'magpie_jobs_waiting',
    help: 'Jobs (pages, files, texts, scans) that wait for a worker of this process, and its part of those that wait for any node',
    registers: [registry],
    collect() {
      this.set(countWaitingJobs() + getWaitingJobShare());
    },
  });
  const calls = new Counter({
    name: 'magpie_calls_total',
    help: 'Calls of operations, by surface and outcome',
    labelNames: ['operation', 'via', 'outcome'],
    registers: [registry],
  });
  const duration = new Histogram({
    name: 'magpie_call_duration_seconds',
    help: 'Duration of calls',
    labelNames: ['operation'],
    buckets: [0.005, 0.02, 0.1, 0.5, 1, 2, 5, 10, 30, 60],
    registers: [registry],
  });
  const alerts = new Counter({
    name: 'magpie_access_alerts_total',
    help: 'Alerts about keys and access tokens, by kind',
    labelNames: ['kind'],
    registers: [registry],
  });
  const checks = new Histogram({
    name: 'magpie_monitor_check_duration_seconds',
    help: 'Duration of the checks of monitors, by outcome: good, findings, unknown, failed',
    labelNames: ['check', 'outcome'],
    buckets: [0.01, 0.05, 0.2, 1, 5, 20, 60, 600],
    registers: [registry],
  });
  const monitorAlerts = new Counter({
    name: 'magpie_monitor_alerts_total',
    help: 'Alerts of monitors that were raised and cleared',
    labelNames: ['event'],
    registers: [registry],
  });
  const notifications = new Counter({
    name: 'magpie_monitor_notices_total',
    help: 'Attempts to send notifications of those, by outcome: sent, failed, dead',
    labelNames: ['channel', 'outcome'],
    registers: [registry],
  });
  const network = new Gauge({
    name: 'magpie_monitor_network_up',
    help: 'Whether the network of this machine works, as far as monitors notice: 1, or 0 while nothing can be reached',
    registers: [registry],
  });
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
