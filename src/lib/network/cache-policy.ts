/** What the rules need to know of a kept answer. Times are milliseconds since the epoch. */
export interface KeptHead {
  readonly status: number;
  readonly headers: Headers;
  /** Headers of the request that the answer varies on, null where it had none. */
  readonly vary: Readonly<Record<string, string | null>>;
  readonly requestedAt: number;
  readonly receivedAt: number;
}

/** Understood and final. 206 and 304 are parts of other answers; what failed or was refused is requested again. */
const KEEPABLE_STATUSES = new Set([200, 203, 300, 301, 302, 307, 308, 404, 410]);
/** For these an age may be guessed (RFC 9110, 15.1). */
const HEURISTIC_STATUSES = new Set([200, 203, 300, 301, 308, 404, 410]);
/** A tenth of the time since the last change, as RFC 9111, 4.2.2 suggests, within these bounds. */
const HEURISTIC = { share: 0.1, most: 86_400_000 };
/**
 * A page that says nothing of itself stays good for this long: while someone reads its parts one after the
 * other, they are parts of the same text.
 */
const DEFAULT_LIFETIME_MS = 60_000;
/** Nothing is trusted longer, whatever it says: 30 days. */
const MAX_LIFETIME_MS = 30 * 86_400_000;
/** Headers of the body that is kept, which a 304 does not speak of (RFC 9111, 3.2), and of one hop. */
const OF_BODY = /^(content-(encoding|length|range|type)|connection|keep-alive|transfer-encoding|trailer)$/;

/**
 * Whether an answer to a GET without credentials may be kept, by RFC 9111 for a shared cache, and stricter:
 * nothing that sets a cookie. What is neither fresh for a while nor can be asked after is not worth it.
 */
export function isKeepable(head: KeptHead): boolean {
  const { status, headers } = head;
  const control = directives(headers);
  if (!KEEPABLE_STATUSES.has(status) || control.has('no-store') || control.has('private')) return false;
  if (headers.has('set-cookie') || varyNames(headers).includes('*')) return false;
  return freshnessOf(head) > 0 || hasValidator(headers);
}

/** Whether it may be given without asking the site. */
export function isFresh(head: KeptHead, now: number): boolean {
  return ageOf(head, now) < freshnessOf(head);
}

/** Whether it may be given when the site fails to answer: `stale-if-error` (RFC 5861) lets it. */
export function outlivesErrors(head: KeptHead, now: number): boolean {
  const control = directives(head.headers);
  if (control.has('must-revalidate') || control.has('proxy-revalidate') || control.has('no-cache'))
    return false;
  return ageOf(head, now) < freshnessOf(head) + seconds(control.get('stale-if-error'));
}

/** The headers that ask whether a kept answer is still valid; none where it has no validator. */
export function conditions({ headers }: KeptHead): Record<string, string> {
  const [etag, modified] = [headers.get('etag'), headers.get('last-modified')];
  return { ...(etag && { 'if-none-match': etag }), ...(modified && { 'if-modified-since': modified }) };
}

/** The headers of a kept answer after a 304, which brings newer ones. */
export function freshened(kept: Headers, news: Headers): Headers {
  const headers = new Headers(kept);
  for (const [name, value] of news) if (!OF_BODY.test(name)) headers.set(name, value);
  return headers;
}

/** What of the request the answer depends on. */
export function variance(headers: Headers, request: Readonly<Record<string, string>>): KeptHead['vary'] {
  return Object.fromEntries(varyNames(headers).map((name) => [name, request[name] ?? null]));
}

/** Whether a request would have got this answer (RFC 9111, 4.1). */
export function matches({ vary }: KeptHead, request: Readonly<Record<string, string>>): boolean {
  return Object.entries(vary).every(([name, value]) => (request[name] ?? null) === value);
}

/** RFC 9111, 4.2.1: milliseconds from its making for which an answer is good. */
function freshnessOf({ status, headers, receivedAt }: KeptHead): number {
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

/** RFC 9111, 4.2.3, in milliseconds. A clock that was set back makes nothing younger than it was. */
function ageOf({ headers, requestedAt, receivedAt }: KeptHead, now: number): number {
  const apparent = Math.max(0, receivedAt - (dateOf(headers, 'date') ?? receivedAt));
  const corrected = seconds(headers.get('age') ?? '0') + Math.max(0, receivedAt - requestedAt);
  return Math.max(apparent, corrected) + Math.max(0, now - receivedAt);
}

function hasValidator(headers: Headers): boolean {
  return headers.has('etag') || headers.has('last-modified');
}

function varyNames(headers: Headers): string[] {
  const names = (headers.get('vary') ?? '').toLowerCase().split(',');
  return names.map((name) => name.trim()).filter(Boolean);
}

/** Directives by name. One that is said twice in two ways holds in its strictest form: not at all. */
function directives(headers: Headers): Map<string, string> {
  const found = new Map<string, string>();
  for (const part of (headers.get('cache-control') ?? '').toLowerCase().split(',')) {
    const [name = '', value = ''] = part.split('=', 2).map((text) => text.trim());
    if (name) found.set(name, found.has(name) && found.get(name) !== value ? 'two' : value);
  }
  return found;
}

/** A count of seconds as milliseconds; 0 for what is none, which counts as stale (RFC 9111, 4.2.1). */
function seconds(value: string | undefined): number {
  const [, digits] = /^"?(\d{1,12})"?$/.exec(value ?? '') ?? [];
  return digits === undefined ? 0 : Number(digits) * 1000;
}

function dateOf(headers: Headers, name: string): number | undefined {
  const date = Date.parse(headers.get(name) ?? '');
  return Number.isNaN(date) ? undefined : date;
}
