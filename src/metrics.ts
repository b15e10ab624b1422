/** What is counted: one observation a call. */
export interface Metrics {
  /** `outcome` is `ok` or an error code; `seconds` the call's duration. */
  observe(operation: string, via: string, outcome: string, seconds: number): void;
  /** Counts an alert about a credential. */
  alert(kind: string): void;
  /** Prometheus text, and its content type. */
  render(): Promise<{ readonly type: string; readonly text: string }>;
}

/** For surfaces that nobody scrapes (stdio, CLI). */
export const noMetrics: Metrics = {
  observe() {},
  alert() {},
  render: async () => ({ type: 'text/plain', text: '' }),
};

/** Prometheus metrics of this process; the library is loaded here, so that stdio does not pay for it. */
export async function createMetrics(version: string): Promise<Metrics> {
  const { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } = await import('prom-client');
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: 'magpie_info',
    help: 'The running version',
    labelNames: ['version'],
    registers: [registry],
  }).set({ version }, 1);
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
  return {
    alert: (kind) => alerts.inc({ kind }),
    observe(operation, via, outcome, seconds) {
      calls.inc({ operation, via, outcome });
      duration.observe({ operation }, seconds);
    },
    render: async () => ({ type: registry.contentType, text: await registry.metrics() }),
  };
}
