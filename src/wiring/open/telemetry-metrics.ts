import { ValueType } from '@opentelemetry/api';
import type { Resource } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  DataPointType,
  type MetricData,
  type MetricProducer,
} from '@opentelemetry/sdk-metrics';
import type { MetricFamily, MetricSample, Metrics } from '../../metrics.ts';
import { VERSION } from '../../version.ts';

type Time = [number, number];

/** Exports the metrics of `/metrics` with the same names, without counting a second time. */
export function metricProducer(metrics: Metrics, resource: Resource): MetricProducer {
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
