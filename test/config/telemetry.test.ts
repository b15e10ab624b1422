import { expect, test } from 'vitest';
import { readTelemetry, telemetrySecrets } from '../../src/config/telemetry-settings.ts';

const BASE = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/' };

test('without an endpoint, or switched off, there is nothing to export', () => {
  expect(readTelemetry({})).toBeUndefined();
  expect(readTelemetry({ OTEL_SERVICE_NAME: 'x', OTEL_EXPORTER_OTLP_HEADERS: 'a=b' })).toBeUndefined();
  expect(readTelemetry({ ...BASE, OTEL_SDK_DISABLED: 'TRUE' })).toBeUndefined();
  expect(
    readTelemetry({ ...BASE, OTEL_TRACES_EXPORTER: 'none', OTEL_METRICS_EXPORTER: 'none' }),
  ).toBeUndefined();
});

test('one endpoint serves both, and each may have its own', () => {
  expect(readTelemetry(BASE)).toMatchObject({
    traces: {
      url: 'http://collector:4318/v1/traces',
      protocol: 'http/protobuf',
      compression: 'none',
      timeoutMs: 10_000,
    },
    metrics: { url: 'http://collector:4318/v1/metrics' },
    sampler: 'parentbased_always_on',
    metricsMs: 60_000,
  });
  const own = readTelemetry({
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://traces.example/in',
    OTEL_EXPORTER_OTLP_HEADERS: 'Authorization=Basic%20abc%3D, x-team = birds',
    OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/json',
    OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test,service.name=other',
    OTEL_SERVICE_NAME: 'magpie-a',
    OTEL_TRACES_SAMPLER: 'traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0.25',
    OTEL_BSP_MAX_QUEUE_SIZE: '10',
  });
  expect(own?.metrics).toBeUndefined();
  expect(own).toMatchObject({
    traces: {
      url: 'https://traces.example/in',
      headers: { Authorization: 'Basic abc=', 'x-team': 'birds' },
      protocol: 'http/json',
      compression: 'gzip',
    },
    resource: { 'deployment.environment.name': 'test', 'service.name': 'magpie-a' },
    sampler: 'traceidratio',
    ratio: 0.25,
    queue: { most: 10, batch: 10 },
  });
  expect(telemetrySecrets(own)).toEqual(['Basic abc=', 'birds']);
});

test.each([
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318', 'it takes an http or https URL'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://user:hidden@collector', 'without a user in it'],
  ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc', 'it takes http/protobuf, http/json'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'hidden', 'name=value pairs'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'a=hidden%', 'name=value pairs'],
  ['OTEL_EXPORTER_OTLP_TIMEOUT', 'soon', 'a whole number from 1'],
  ['OTEL_TRACES_EXPORTER', 'zipkin', 'it takes otlp or none'],
  ['OTEL_TRACES_SAMPLER', 'jaeger_remote', 'it takes always_on'],
  ['OTEL_TRACES_SAMPLER_ARG', '2', 'a number from 0 to 1'],
  ['OTEL_METRIC_EXPORT_INTERVAL', '1', 'a whole number from 100'],
])('%s=%s is refused by name, without what may be secret', (name, value, words) => {
  const read = () => readTelemetry({ ...BASE, [name]: value });
  expect(read).toThrow(words);
  expect(read).toThrow(name);
  expect(read).not.toThrow('hidden');
});
