import { parseInstant } from '../time/written-date.ts';
import type { HttpResponse } from './exchange.ts';
export interface CachedResponseHead extends Omit<HttpResponse, 'body'> {
  /** For each header named in `Vary`, the request's value. It is null if the request had no such header. */
  readonly vary: Readonly<Record<string, string | null>>;
}

/** Statuses that may be cached. 206 and 304 are missing, because their bodies are incomplete. */
const KEEPABLE_STATUSES = new Set([200, 203, 300, 301, 302, 307, 308, 404, 410]);
/** Statuses whose responses may be cached without an explicit lifetime (RFC 9110, 15.1). */
const HEURISTIC_STATUSES = new Set([200, 203, 300, 301, 308, 404, 410]);
/** Lifetime if no header states it: a tenth of the time since the last change, at most a day (RFC 9111). */
const HEURISTIC = { share: 0.1, most: 86_400_000 };
const DEFAULT_LIFETIME_MS = 60_000;
/** Maximum lifetime in milliseconds. A longer lifetime in the headers is shortened. */
const MAX_LIFETIME_MS = 30 * 86_400_000;
/** Headers about the stored body, which the headers of a 304 response must not replace (RFC 9111, 3.2). */
const OF_BODY = /^(content-(encoding|length|range|type)|connection|keep-alive|transfer-encoding|trailer)$/;

/** Returns true if a shared cache may store the response (RFC 9111) and if the response sets no cookie. */
export function isCacheable(head: CachedResponseHead): boolean {
  const { status, headers, isCut } = head;
  const control = directives(headers);
  if (isCut) return false;
  if (!KEEPABLE_STATUSES.has(status) || control.has('no-store') || control.has('private')) return false;
  if (headers.has('set-cookie') || varyNames(headers).includes('*')) return false;
  return freshnessOf(head) > 0 || headers.has('etag') || headers.has('last-modified');
}

export function isFresh(head: CachedResponseHead, now: number): boolean {
  return ageOf(head, now) < freshnessOf(head);
}

/** Returns true if a stale response may be returned when the site fails (`stale-if-error`, RFC 5861). */
export function isUsableOnError(head: CachedResponseHead, now: number): boolean {
  const control = directives(head.headers);
  if (control.has('must-revalidate') || control.has('proxy-revalidate') || control.has('no-cache'))
    return false;
  return ageOf(head, now) < freshnessOf(head) + seconds(control.get('stale-if-error'));
}

export function buildConditionalHeaders({ headers }: CachedResponseHead): Record<string, string> {
  const [etag, modified] = [headers.get('etag'), headers.get('last-modified')];
  return { ...(etag && { 'if-none-match': etag }), ...(modified && { 'if-modified-since': modified }) };
}

export function mergeRevalidatedHeaders(kept: Headers, news: Headers): Headers {
  const headers = new Headers(kept);
  for (const [name, value] of news) if (!OF_BODY.test(name)) headers.set(name, value);
  return headers;
}

export function selectVaryHeaders(
  headers: Headers,
  request: Readonly<Record<string, string>>,
): CachedResponseHead['vary'] {
  return Object.fromEntries(varyNames(headers).map((name) => [name, request[name] ?? null]));
}

/** Returns true if the request's headers have the values that are stored for `Vary` (RFC 9111, 4.1). */
export function matchesVaryHeaders(
  { vary }: CachedResponseHead,
  request: Readonly<Record<string, string>>,
): boolean {
  return Object.entries(vary).every(([name, value]) => (request[name] ?? null) === value);
}

/** Returns for how many milliseconds the response is fresh (RFC 9111, 4.2.1). */
function freshnessOf({ status, headers, receivedAt }: CachedResponseHead): number {
  const control = directives(headers);
  if (
    control.has('no-cache') ||
    (!headers.has('cache-control') && headers.get('pragma')?.includes('no-cache'))
  )
    return 0;
  for (const name of ['s-maxage', 'max-age']) {
    if (control.has(name)) return Math.min(seconds(control.get(name)), MAX_LIFETIME_MS);
  }
  const made = dateOf(headers, 'date') ?? receivedAt;
  if (headers.has('expires')) {
    const expires = dateOf(headers, 'expires') ?? 0;
    return Math.min(Math.max(0, expires - made), MAX_LIFETIME_MS);
  }
  if (!HEURISTIC_STATUSES.has(status)) return 0;
  const modified = dateOf(headers, 'last-modified');
  if (modified === undefined) return status === 200 && !headers.has('etag') ? DEFAULT_LIFETIME_MS : 0;
  return Math.min(Math.max(0, (made - modified) * HEURISTIC.share), HEURISTIC.most);
}

/** Returns the age in milliseconds (RFC 9111, 4.2.3), never below 0, even if the clock was set back. */
function ageOf({ headers, requestedAt, receivedAt }: CachedResponseHead, now: number): number {
  const apparent = Math.max(0, receivedAt - (dateOf(headers, 'date') ?? receivedAt));
  const corrected = seconds(headers.get('age') ?? '0') + Math.max(0, receivedAt - requestedAt);
  return Math.max(apparent, corrected) + Math.max(0, now - receivedAt);
}

function varyNames(headers: Headers): string[] {
  const names = (headers.get('vary') ?? '').toLowerCase().split(',');
  return names.map((name) => name.trim()).filter(Boolean);
}

/** Returns the `Cache-Control` directives. A directive with two different values counts as 0 seconds. */
function directives(headers: Headers): Map<string, string> {
  const found = new Map<string, string>();
  for (const part of (headers.get('cache-control') ?? '').toLowerCase().split(',')) {
    const [name = '', value = ''] = part.split('=', 2).map((text) => text.trim());
    if (name) found.set(name, found.has(name) && found.get(name) !== value ? 'two' : value);
  }
  return found;
}

/** Converts seconds to milliseconds. An invalid number is 0, which makes the response stale. */
function seconds(value: string | undefined): number {
  const [, digits] = /^"?(\d{1,12})"?$/.exec(value ?? '') ?? [];
  return digits === undefined ? 0 : Number(digits) * 1000;
}

function dateOf(headers: Headers, name: string): number | undefined {
  return parseInstant(headers.get(name) ?? '');
}
