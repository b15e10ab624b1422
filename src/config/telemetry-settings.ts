import { type AppError, badRequestError } from '../errors.ts';
import type { Environment } from './config.ts';

/** OpenTelemetry's variables are read only from the environment: flags and the file cannot set them. */

export type TelemetryTarget = NonNullable<ReturnType<typeof signalOf>>;

export type TelemetrySettings = NonNullable<ReturnType<typeof readTelemetry>>;

const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;
const PROTOCOLS = ['http/protobuf', 'http/json'] as const;
const COMPRESSIONS = ['none', 'gzip'] as const;

export function readTelemetry(env: Environment) {
  if (/^true$/i.test(env.OTEL_SDK_DISABLED?.trim() ?? '')) return undefined;
  const traces = signalOf(env, 'TRACES');
  const metrics = signalOf(env, 'METRICS');
  if (!traces && !metrics) return undefined;
  const sampler = oneOf(env, ['OTEL_TRACES_SAMPLER'], SAMPLERS) ?? 'parentbased_always_on';
  const most = wholeOf(env, ['OTEL_BSP_MAX_QUEUE_SIZE'], 2048, 1, 100_000);
  return {
    traces,
    metrics,
    resource: {
      ...pairsOf(env, ['OTEL_RESOURCE_ATTRIBUTES']),
      ...(env.OTEL_SERVICE_NAME && { 'service.name': env.OTEL_SERVICE_NAME }),
    },
    sampler,
    /** Share of traces to export, from 0 to 1. Only the ratio samplers use the share. */
    ratio: ratioOf(env),
    queue: {
      most,
      batch: Math.min(most, wholeOf(env, ['OTEL_BSP_MAX_EXPORT_BATCH_SIZE'], 512, 1, 100_000)),
      delayMs: wholeOf(env, ['OTEL_BSP_SCHEDULE_DELAY'], 5000, 10, 600_000),
    },
    metricsMs: wholeOf(env, ['OTEL_METRIC_EXPORT_INTERVAL'], 60_000, 100, 3_600_000),
  };
}

export const telemetrySecrets = (settings: TelemetrySettings | undefined): string[] =>
  [settings?.traces, settings?.metrics].flatMap((signal) => Object.values(signal?.headers ?? {}));

function signalOf(env: Environment, signal: 'TRACES' | 'METRICS') {
  const own = env[`OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`]?.trim();
  const base = env.OTEL_EXPORTER_OTLP_ENDPOINT?.trim();
  const exporter = env[`OTEL_${signal}_EXPORTER`]?.trim() || 'otlp';
  if (!(own || base) || exporter === 'none') return undefined;
  if (exporter !== 'otlp') throw wrong(`OTEL_${signal}_EXPORTER`, exporter, 'otlp or none');
  const names = (rest: string) => [`OTEL_EXPORTER_OTLP_${signal}_${rest}`, `OTEL_EXPORTER_OTLP_${rest}`];
  const url = own || `${base?.replace(/\/$/, '')}/v1/${signal.toLowerCase()}`;
  if (!/^https?:\/\/[^/@]/.test(url) || !URL.canParse(url) || new URL(url).username !== '')
    throw wrong(names('ENDPOINT').join(' or '), undefined, 'an http or https URL without a user in it');
  return {
    url,
    headers: pairsOf(env, names('HEADERS')),
    timeoutMs: wholeOf(env, names('TIMEOUT'), 10_000, 1, 600_000),
    compression: oneOf(env, names('COMPRESSION'), COMPRESSIONS) ?? 'none',
    protocol: oneOf(env, names('PROTOCOL'), PROTOCOLS) ?? 'http/protobuf',
  };
}

function firstOf(env: Environment, names: readonly string[]) {
  const name = names.find((one) => env[one]?.trim());
  return name === undefined ? undefined : { name, value: env[name]?.trim() ?? '' };
}

function oneOf<T extends string>(env: Environment, names: readonly string[], known: readonly T[]) {
  const given = firstOf(env, names);
  const found = known.find((one) => one === given?.value);
  if (given && found === undefined) throw wrong(given.name, given.value, known.join(', '));
  return found;
}

function wholeOf(env: Environment, names: readonly string[], fallback: number, least: number, most: number) {
  const given = firstOf(env, names);
  if (!given) return fallback;
  const value = Number(given.value);
  if (/^\d{1,9}$/.test(given.value) && value >= least && value <= most) return value;
  throw wrong(given.name, given.value, `a whole number from ${least} to ${most}`);
}

function ratioOf(env: Environment): number {
  const given = firstOf(env, ['OTEL_TRACES_SAMPLER_ARG']);
  const ratio = Number(given?.value ?? 1);
  if (given && !(ratio >= 0 && ratio <= 1)) throw wrong(given.name, given.value, 'a number from 0 to 1');
  return ratio;
}

/** Parses `name=value,name=value`. The values are percent-encoded. */
function pairsOf(env: Environment, names: readonly string[]): Record<string, string> {
  const given = firstOf(env, names);
  const pairs = (given?.value ?? '').split(',').filter((one) => one.trim() !== '');
  try {
    return Object.fromEntries(
      pairs.map((pair) => {
        const at = pair.indexOf('=');
        if (at < 1) throw new TypeError('no name');
        return [pair.slice(0, at).trim(), decodeURIComponent(pair.slice(at + 1).trim())];
      }),
    );
  } catch {
    throw wrong(given?.name ?? '', undefined, 'name=value pairs with commas between, values percent-encoded');
  }
}

function wrong(name: string, value: string | undefined, takes: string): AppError {
  const what = value === undefined ? 'not usable' : JSON.stringify(value.slice(0, 100));
  return badRequestError(`${name} is ${what}: it takes ${takes}`);
}
