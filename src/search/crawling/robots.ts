import { AppError } from '../../errors.ts';
import type { GuardedFetch } from '../../lib/network/fetch.ts';
import { parseRobotsFor } from './robots-rules.ts';

export interface RobotsRules {
  allows(url: string): boolean;
  readonly hostDelayMs: number;
  readonly sitemaps: readonly string[];
  readonly trouble?: string;
}

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
  };
}

export function parseRobots(text: string): RobotsRules {
  const { allows, delaySeconds = 0, sitemaps, trouble } = parseRobotsFor(text, AGENT);
  return {
    allows,
    hostDelayMs: delaySeconds > 0 ? Math.min(delaySeconds * 1000, MAX_DELAY_MS) : 0,
    sitemaps: sitemaps.filter((address) => URL.canParse(address)).slice(0, MAX_SITEMAPS),
    ...(trouble !== undefined && { trouble }),
  };
}
