import { z } from 'zod';
import { parseJsonOrNothing } from '../../lib/text/parse-json-or-nothing.ts';
import { EngineError, type SearchHit } from '../engine.ts';
import { type RawHit, toHits } from './hit.ts';

export interface EngineService {
  readonly name: string;
}

export interface KeyedService extends EngineService {
  readonly env: string;
  readonly isKeyless?: boolean;
}

/** Maximum number of items read from a list, because two megabytes could hold a million empty items. */
const MAX_ITEMS = 1000;

/** Parses a JSON body. Throws EngineError `refused`, `rate_limited` or `changed`. */
export function readJson<T>(body: string, schema: z.ZodType<T>, service: EngineService | KeyedService): T {
  const json = parseJsonOrNothing(body);
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  throw (
    ('env' in service && isRefusal(json) ? classifyRefusal(body, service) : undefined) ??
    new EngineError('changed', `its answer is not what ${service.name} answers`)
  );
}

/** Converts items to hits. Throws EngineError `changed` if no item fits the schema or has a web address. */
export function readHits<T>(
  items: readonly unknown[],
  itemSchema: z.ZodType<T>,
  service: EngineService,
  toRawHit: (item: T) => RawHit | undefined,
): SearchHit[] {
  const good = items.slice(0, MAX_ITEMS).flatMap((one) => {
    const parsed = itemSchema.safeParse(one);
    return parsed.success ? [parsed.data] : [];
  });
  if (good.length === 0 && items.length > 0) {
    throw new EngineError('changed', `its results are not what ${service.name} answers`);
  }
  const wanted = good.flatMap((one) => toRawHit(one) ?? []);
  const hits = wanted.flatMap(toHits);
  if (hits.length === 0 && wanted.length > 0) {
    throw new EngineError(
      'changed',
      `the results of ${service.name} lead to no pages: its answer is not what it was`,
    );
  }
  return hits;
}

export interface ResultFields {
  readonly url?: string;
  readonly snippet: readonly string[];
  readonly published: string;
}

/** Describes a result. A snippet may be a list of excerpts. A snippet of another type does not refuse the result. */
export function resultSchema({ url = 'url', snippet, published }: ResultFields): z.ZodType<RawHit> {
  const text = z.string().nullish();
  const excerpts = z.array(z.string()).transform((list) => list.join(' … '));
  const fields: Readonly<Record<string, z.ZodType<string | null | undefined>>> = {
    title: text,
    ...Object.fromEntries(snippet.map((name) => [name, z.union([text, excerpts]).catch(undefined)])),
    [published]: text.catch(undefined),
    [url]: z.string(),
  };
  return z.object(fields).transform((found) => ({
    url: found[url] ?? '',
    title: found.title,
    snippet: snippet.map((name) => found[name]).find(Boolean),
    published: found[published],
  }));
}

export function describeKeyRefusals(service: KeyedService): Readonly<Record<401 | 402 | 403 | 429, string>> {
  const quota = describeUsedUpQuota(service);
  return { 401: wrongKey(service), 402: quota, 403: wrongKey(service), 429: describeRateLimit(service) };
}

export function describeOptionalKey(service: KeyedService) {
  return {
    refusals: describeKeyRefusals(service),
    pauses: service.isKeyless ? KEYLESS_PAUSE_STATUSES : [402],
    readWait: readRetryAfterMs,
  };
}

/** HTTP statuses by which a service refuses requests without a key. They suspend the engine. */
export const KEYLESS_PAUSE_STATUSES = [401, 402, 403] as const;

export function describeUsedUpQuota({ env, isKeyless }: KeyedService): string {
  if (isKeyless) return `the limit of those who have no key is reached: ${env} raises it`;
  return `the quota or the credits of its key are used up: top the account up, or unset ${env}`;
}

export function describeRateLimit(service: KeyedService): string {
  if (service.isKeyless) return describeUsedUpQuota(service);
  return `it is asked too often, or the quota of ${service.env} is used up`;
}

function wrongKey({ env, isKeyless }: KeyedService): string {
  return isKeyless
    ? `it does not answer without a key: set ${env}`
    : `it does not accept its key: check ${env}`;
}

const wait = z.number().positive();
const NAMED_WAIT = z.union([
  z.object({ retry_after_seconds: wait }).transform((body) => body.retry_after_seconds),
  z
    .object({ error: z.object({ retry_after_seconds: wait }) })
    .transform(({ error }) => error.retry_after_seconds),
]);

/** Returns `retry_after_seconds` from an error body in milliseconds, or 0. */
export function readRetryAfterMs(body: string): number {
  const named = NAMED_WAIT.safeParse(parseJsonOrNothing(body));
  return named.success ? named.data * 1000 : 0;
}

const TELLING = ['error', 'errors', 'detail', 'message', 'tag'];

function isRefusal(json: unknown): boolean {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return false;
  return TELLING.some((name) => Object.hasOwn(json, name));
}

/** Converts an error text to an EngineError. The error omits the text, which may contain the key. */
export function classifyRefusal(body: string, service: KeyedService): EngineError {
  const words = body.slice(0, 5000).toLowerCase();
  if (/rate.{0,3}limit|too many|per (?:second|minute)|throttl|\b429\b/.test(words)) {
    return new EngineError(
      'rate_limited',
      service.isKeyless ? describeUsedUpQuota(service) : 'it is asked too often',
    );
  }
  if (/quota|credit|balance|usage.{0,3}limit|limit.{0,3}exceeded|billing|payment/.test(words)) {
    return new EngineError('rate_limited', describeUsedUpQuota(service));
  }
  if (/key|token|unauth|forbidden|permission|credential/.test(words)) {
    return new EngineError('refused', wrongKey(service));
  }
  const advice = service.isKeyless ? `a key in ${service.env} may help` : `check ${service.env}`;
  return new EngineError('refused', `it refuses the request; if it keeps doing so, ${advice}`);
}

export function escapeHtmlText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
