import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Context,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
  ValueType,
} from '@opentelemetry/api';
import { parseTraceParent } from '@opentelemetry/core';
import { type Resource, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  DataPointType,
  MeterProvider,
  type MetricData,
  type MetricProducer,
  PeriodicExportingMetricReader,
  type PushMetricExporter,
} from '@opentelemetry/sdk-metrics';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { TelemetrySettings, TelemetryTarget } from '../../config/telemetry-settings.ts';
import { type Span, type SpanStart, setTraceSource, type TraceSource } from '../../lib/tracing.ts';
import type { Logger } from '../../log.ts';
import type { MetricFamily, MetricSample, Metrics } from '../../metrics.ts';
import { VERSION } from '../../version.ts';

/** Exports telemetry. This module is loaded only if OpenTelemetry's variables enable an export. */

/** Milliseconds to send the remaining telemetry at the end. A dead collector must not delay the exit. */
const END_MS = 1000;
const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL };
const MOST_STATEMENTS = 5;

export async function startTelemetry(settings: TelemetrySettings, metrics: Metrics, log: Logger) {
  const resource = resourceFromAttributes({
    'service.name': 'magpie',
    'service.version': VERSION,
    ...settings.resource,
  });
  const ends: (() => Promise<unknown>)[] = [];
  if (settings.metrics) {
    const exporter = await metricExporter(settings.metrics);
    const reader = new PeriodicExportingMetricReader({
      exporter,
      exportIntervalMillis: Math.max(settings.metricsMs, settings.metrics.timeoutMs),
      exportTimeoutMillis: settings.metrics.timeoutMs,
      metricProducers: [metricProducer(metrics, resource)],
    });
    const provider = new MeterProvider({ resource, readers: [reader] });
    ends.push(() => provider.shutdown());
  }
  if (settings.traces) {
    const { queue } = settings;
    const provider = new TracerProvider({
      resource,
      sampler: samplerOf(settings),
      spanLimits: { attributeValueLengthLimit: 300, attributeCountLimit: 40 },
      spanProcessors: [
        new BatchSpanProcessor({
          exporter: await spanExporter(settings.traces),
          maxQueueSize: queue.most,
          maxExportBatchSize: queue.batch,
          scheduledDelayMillis: queue.delayMs,
          exportTimeoutMillis: settings.traces.timeoutMs,
        }),
      ],
    });
    setTraceSource(sourceOn(provider.getTracer('magpie', VERSION)));
    ends.push(() => provider.shutdown());
  }
  return {
    async close() {
      setTraceSource(undefined);
      const late = Promise.withResolvers<'late'>();
      const timer = setTimeout(() => late.resolve('late'), END_MS);
      const done = await Promise.race([Promise.allSettled(ends.map((end) => end())), late.promise]);
      clearTimeout(timer);
      if (done === 'late') log.debug('the collector of OpenTelemetry did not take the last spans in time');
    },
  };
}

const optionsOf = ({ url, headers, timeoutMs, compression }: TelemetryTarget) =>
  ({ url, headers: { ...headers }, timeoutMillis: timeoutMs, compression }) as object;

async function spanExporter(signal: TelemetryTarget): Promise<SpanExporter> {
  const { OTLPTraceExporter } =
    signal.protocol === 'http/json'
      ? await import('@opentelemetry/exporter-trace-otlp-http')
      : await import('@opentelemetry/exporter-trace-otlp-proto');
  return new OTLPTraceExporter(optionsOf(signal));
}

async function metricExporter(signal: TelemetryTarget): Promise<PushMetricExporter> {
  const { OTLPMetricExporter } =
    signal.protocol === 'http/json'
      ? await import('@opentelemetry/exporter-metrics-otlp-http')
      : await import('@opentelemetry/exporter-metrics-otlp-proto');
  return new OTLPMetricExporter(optionsOf(signal));
}

function samplerOf({ sampler, ratio }: TelemetrySettings): Sampler {
  const root = sampler.endsWith('always_on')
    ? new AlwaysOnSampler()
    : sampler.endsWith('always_off')
      ? new AlwaysOffSampler()
      : new TraceIdRatioBasedSampler(ratio);
  return sampler.startsWith('parentbased') ? new ParentBasedSampler({ root }) : root;
}

/** Tracks the current span without OpenTelemetry's global context, which other code may use. */
function sourceOn(tracer: Tracer): TraceSource {
  const opened = new AsyncLocalStorage<{ readonly context: Context; readonly span: Span } | undefined>();
  return {
    async open(start, work) {
      const above = opened.getStore();
      if (start.onlyWithin && !above) return work({ set() {}, rename() {}, fail() {}, note() {} });
      const parent = contextOf(start.parent) ?? above?.context ?? ROOT_CONTEXT;
      const raw = tracer.startSpan(
        start.name,
        { kind: KINDS[start.kind], attributes: { ...start.facts } },
        parent,
      );
      const noted = new Set<string>();
      const span: Span = {
        set: (facts) => void raw.setAttributes({ ...facts }),
        rename: (name) => void raw.updateName(name),
        fail(type) {
          raw.setAttribute('error.type', type);
          raw.setStatus({ code: SpanStatusCode.ERROR });
        },
        note: (statement) =>
          void (noted.size < MOST_STATEMENTS && !PRAGMA.test(statement) && noted.add(summaryOf(statement))),
      };
      try {
        return await opened.run({ context: trace.setSpan(parent, raw), span }, () => work(span));
      } finally {
        if (noted.size > 0) nameStatements(span, [...noted]);
        raw.end();
      }
    },
    current: () => opened.getStore()?.span,
    ids() {
      const context = opened.getStore()?.context;
      const ids = context && trace.getSpanContext(context);
      return ids && { trace_id: ids.traceId, span_id: ids.spanId };
    },
    parent() {
      const context = opened.getStore()?.context;
      const ids = context && trace.getSpanContext(context);
      const flags = String(ids?.traceFlags ?? 0).padStart(2, '0');
      return ids && `00-${ids.traceId}-${ids.spanId}-${flags}`;
    },
    apart: (work) => opened.run(undefined, work),
  };
}

function contextOf(parent: SpanStart['parent']): Context | undefined {
  const remote = typeof parent === 'string' && parent.length <= 100 ? parseTraceParent(parent) : null;
  return remote ? trace.setSpanContext(ROOT_CONTEXT, { ...remote, isRemote: true }) : undefined;
}

function nameStatements(span: Span, summaries: readonly string[]): void {
  span.rename(summaries.find((one) => !one.startsWith('SELECT')) ?? summaries[0] ?? '');
  span.set({ 'db.query.summary': summaries.join('; ') });
}

/** Statements to leave out of traces, because every transaction sends them. */
const PRAGMA = /^\s*PRAGMA\b/i;
const TABLE = /\b(?:from|into|update|join)\s+([a-z_][a-z_0-9]{0,60})/i;

function summaryOf(statement: string): string {
  const verb = /^[\s(]*([a-z]{2,12})/i.exec(statement.slice(0, 100))?.[1] ?? 'statement';
  const table = TABLE.exec(statement.slice(0, 2000))?.[1];
  return table === undefined ? verb.toUpperCase() : `${verb.toUpperCase()} ${table}`;
}

type Time = [number, number];

/** Exports the metrics of `/metrics` under the same names, without counting anything twice. */
function metricProducer(metrics: Metrics, resource: Resource): MetricProducer {
  const startTime = timeOf(Date.now());
  return {
    async collect() {
      const endTime = timeOf(Date.now());
      const families = await metrics.read();
      return {
        resourceMetrics: {
          resource,
          scopeMetrics: [
            {
              scope: { name: 'magpie', version: VERSION },
              metrics: families.flatMap((family) => dataOf(family, startTime, endTime)),
            },
          ],
        },
        errors: [],
      };
    },
  };
}

const timeOf = (ms: number): Time => [Math.floor(ms / 1000), (ms % 1000) * 1_000_000];

function dataOf(family: MetricFamily, startTime: Time, endTime: Time): MetricData[] {
  const base = {
    descriptor: { name: family.name, description: family.help, unit: '', valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  };
  const points = family.values.map(({ labels, value }) => ({
    startTime,
    endTime,
    attributes: { ...labels },
    value,
  }));
  switch (family.type) {
    case 'counter':
      return [{ ...base, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints: points }];
    case 'gauge':
      return [{ ...base, dataPointType: DataPointType.GAUGE, dataPoints: points }];
    case 'histogram':
      return [
        {
          ...base,
          dataPointType: DataPointType.HISTOGRAM,
          dataPoints: histogramsOf(family).map(({ labels, value }) => ({
            startTime,
            endTime,
            attributes: labels,
            value,
          })),
        },
      ];
    default:
      return [];
  }
}

function histogramsOf({ name, values }: MetricFamily) {
  const groups = new Map<string, { labels: Record<string, string>; samples: MetricSample[] }>();
  for (const sample of values) {
    const { le: _, ...rest } = sample.labels;
    const labels = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, String(value)]));
    const key = JSON.stringify(labels);
    const group = groups.get(key) ?? { labels, samples: [] };
    group.samples.push(sample);
    groups.set(key, group);
  }
  return [...groups.values()].map(({ labels, samples }) => {
    const of = (end: string) => samples.find((sample) => sample.metricName === `${name}_${end}`)?.value ?? 0;
    const buckets = samples.filter((sample) => sample.metricName === `${name}_bucket`);
    return {
      labels,
      value: {
        buckets: {
          boundaries: buckets.map(({ labels }) => Number(labels.le)).filter(Number.isFinite),
          counts: buckets.map(({ value }, at) => value - (buckets[at - 1]?.value ?? 0)),
        },
        sum: of('sum'),
        count: of('count'),
      },
    };
  });
}
