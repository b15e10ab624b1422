import { AppError } from '../../errors.ts';
import type { GuardedFetch } from '../../lib/network/fetch.ts';

export type RobotsRules = ReturnType<typeof parseRobots>;

const AGENT = 'magpie';
/** Maximum number of bytes of robots.txt that are read. RFC 9309 requires at least 500 KiB. */
const MAX_BYTES = 512_000;
const MAX_DELAY_MS = 60_000;
const MAX_ORIGINS = 1000;
const MAX_SITEMAPS = 50;

const ALL: RobotsRules = { allows: () => true, hostDelayMs: 0, sitemaps: [] };
const nothing = (trouble: string): RobotsRules => ({
  allows: () => false,
  hostDelayMs: 0,
  sitemaps: [],
  trouble,
});

/** Fetches robots.txt (RFC 9309). A missing file allows all pages. A failure or status 429 allows none. */
export function createRobotsCache(fetch: GuardedFetch, timeoutMs: number) {
  const known = new Map<string, RobotsRules>();

  async function load(origin: string, signal: AbortSignal): Promise<RobotsRules> {
    const url = `${origin}/robots.txt`;
    try {
      const maxBytes = 20 * MAX_BYTES;
      const { status, body, isCut } = await fetch(url, { signal, timeoutMs, maxBytes, asBrowser: true });
      if (status >= 500 || status === 429) return nothing(`it answered ${status}`);
      if (status < 200 || status >= 300) return ALL;
      if (isCut) return nothing('its end is missing');
      return parseRobots(new TextDecoder().decode(body.subarray(0, MAX_BYTES)));
    } catch (error) {
      if (signal.aborted) throw error;
      // If the network guard forbids the host, allows everything, because fetching its pages fails anyway.
      if (!(error instanceof AppError)) throw error;
      return error.code === 'forbidden' ? ALL : nothing(error.message);
    }
  }

  return {
    async rulesFor(url: string, signal: AbortSignal): Promise<RobotsRules> {
      const { origin } = new URL(url);
      const rules = known.get(origin) ?? (await load(origin, signal));
      if (known.size >= MAX_ORIGINS) known.clear();
      known.set(origin, rules);
      return rules;
    },
    forget: (url: string) => known.delete(new URL(url).origin),
  };
}

export function parseRobots(text: string) {
  const { allows, delaySeconds = 0, sitemaps, trouble } = parseRobotsFor(text, AGENT);
  return {
    allows,
    hostDelayMs: delaySeconds > 0 ? Math.min(delaySeconds * 1000, MAX_DELAY_MS) : 0,
    sitemaps: sitemaps.filter((address) => URL.canParse(address)).slice(0, MAX_SITEMAPS),
    ...(trouble !== undefined && { trouble }),
  };
}

/** Parses a robots.txt file by RFC 9309. */

/** Maximum total characters of patterns with `*` for one crawler, because matching them is slow. */
const MAX_STARRED_CHARS = 50_000;

interface RobotsRule {
  readonly allow: boolean;
  readonly length: number;
  readonly parts: readonly string[];
  readonly whole: boolean;
}

interface RobotsGroup {
  readonly rules: RobotsRule[];
  delay?: number;
}

function parseRobotsFor(text: string, agent: string) {
  const groups = new Map<string, RobotsGroup>();
  const sitemaps: string[] = [];
  let present = new Set<RobotsGroup>();
  let named = false;
  for (const [name, value] of fieldsOf(text)) {
    if (name === 'sitemap') sitemaps.push(value);
    if (name === 'user-agent') {
      if (!named) present = new Set();
      named = true;
      const who = value.toLowerCase().split('/', 1)[0]?.trim() ?? '';
      if (who !== agent && who !== '*') continue;
      const group = groups.get(who) ?? { rules: [] };
      groups.set(who, group);
      present.add(group);
      continue;
    }
    named = false;
    for (const group of present) addTo(group, name, value);
  }
  const { rules, delay } = groups.get(agent) ?? groups.get('*') ?? { rules: [] };
  const starred = rules.reduce((sum, { parts, length }) => sum + (parts.length > 1 ? length : 0), 0);
  if (starred > MAX_STARRED_CHARS) {
    const trouble = `its patterns with stars have over ${MAX_STARRED_CHARS} characters`;
    return { allows: () => false, delaySeconds: delay, sitemaps, trouble };
  }
  return { allows: (url: string) => isAllowed(pathOf(url), rules), delaySeconds: delay, sitemaps };
}

function* fieldsOf(text: string): Generator<readonly [name: string, value: string]> {
  for (const [line] of text.matchAll(/[^\r\n]+/g)) {
    const said = line.split('#', 1)[0] ?? '';
    const at = said.indexOf(':');
    if (at > 0) yield [said.slice(0, at).trim().toLowerCase(), said.slice(at + 1).trim()];
  }
}

function addTo(group: RobotsGroup, name: string, value: string): void {
  if (name === 'crawl-delay' && Number.isFinite(Number(value))) group.delay = Number(value);
  if ((name === 'allow' || name === 'disallow') && value !== '') group.rules.push(ruleOf(name, value));
}

function ruleOf(name: 'allow' | 'disallow', pattern: string): RobotsRule {
  const whole = pattern.endsWith('$');
  const path = encoded(whole ? pattern.slice(0, -1) : pattern);
  return { allow: name === 'allow', length: path.length + (whole ? 1 : 0), parts: path.split(/\*+/), whole };
}

/** True if no rule matches or the longest match is "allow". Of equally long rules, "allow" wins. */
function isAllowed(path: string, rules: readonly RobotsRule[]): boolean {
  let best: RobotsRule | undefined;
  for (const rule of rules) {
    const counts = !best || rule.length > best.length || (rule.length === best.length && rule.allow);
    if (counts && matches(rule, path)) best = rule;
  }
  return best?.allow ?? true;
}

/** Matches a pattern that was split at each `*`. Each part must occur after the previous one. */
function matches({ parts, whole }: RobotsRule, path: string): boolean {
  const [first = '', ...rest] = parts;
  if (!path.startsWith(first)) return false;
  const last = whole ? rest.pop() : undefined;
  if (whole && last === undefined) return path === first;
  let at = first.length;
  for (const part of rest) {
    const found = path.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return last === undefined || (path.length - last.length >= at && path.endsWith(last));
}

function pathOf(url: string): string {
  const { pathname, search } = new URL(url);
  return encoded(pathname + search);
}

function encoded(path: string): string {
  return path
    .toWellFormed()
    .replace(/[^\x21-\x7e]+/g, encodeURIComponent)
    .replace(/%[0-9a-f]{2}/gi, (octet) => {
      const sign = String.fromCharCode(Number.parseInt(octet.slice(1), 16));
      return /[\w.~-]/.test(sign) ? sign : octet.toUpperCase();
    });
}
