import { AppError } from '../../errors.ts';
import type { GuardedFetch } from '../../lib/network/fetch.ts';
import { readRobots } from './robots-rules.ts';

/** What a host's robots.txt says to Magpie (RFC 9309). */
export interface RobotsRules {
  allows(url: string): boolean;
  /** Milliseconds between two requests that the host asks for; 0 when it does not. */
  readonly delay: number;
  /** Absolute addresses; other hosts' among them. */
  readonly sitemaps: readonly string[];
  /** Why the file could not be read, so that nothing is allowed. */
  readonly trouble?: string;
}

export interface Robots {
  /** The rules of the URL's origin, asked for once. */
  rulesFor(url: string, signal: AbortSignal): Promise<RobotsRules>;
}

/** The name by which robots.txt addresses Magpie. */
const AGENT = 'magpie';
/** RFC 9309 asks for 500 KiB to be read, and allows to stop there. */
const MAX_BYTES = 512_000;
/** A host that asks for more patience than a minute is not waited for longer. */
const MAX_DELAY_MS = 60_000;
const MAX_ORIGINS = 1000;
const MAX_SITEMAPS = 50;

const ALL: RobotsRules = { allows: () => true, delay: 0, sitemaps: [] };
const nothing = (trouble: string): RobotsRules => ({ allows: () => false, delay: 0, sitemaps: [], trouble });

/**
 * robots.txt of every host, by RFC 9309: none (4xx) allows all; a server in trouble (5xx, no answer) allows
 * nothing, since what it forbids is not known.
 */
export function createRobots(fetch: GuardedFetch, timeoutMs: number): Robots {
  const known = new Map<string, RobotsRules>();

  async function load(origin: string, signal: AbortSignal): Promise<RobotsRules> {
    const url = `${origin}/robots.txt`;
    try {
      const { status, body } = await fetch(url, { signal, timeoutMs, maxBytes: 20 * MAX_BYTES });
      if (status >= 500 || status === 429) return nothing(`it answered ${status}`);
      if (status < 200 || status >= 300) return ALL;
      return parseRobots(new TextDecoder().decode(body.subarray(0, MAX_BYTES)));
    } catch (error) {
      if (signal.aborted) throw error;
      // What our own guard forbids is reported by the fetch of the page itself.
      if (!(error instanceof AppError)) throw error;
      return error.code === 'forbidden' ? ALL : nothing(error.message);
    }
  }

  return {
    async rulesFor(url, signal) {
      const { origin } = new URL(url);
      const rules = known.get(origin) ?? (await load(origin, signal));
      if (known.size >= MAX_ORIGINS) known.clear();
      known.set(origin, rules);
      return rules;
    },
  };
}

/** The rules of a robots.txt. */
export function parseRobots(text: string): RobotsRules {
  const { allows, delay = 0, sitemaps, trouble } = readRobots(text, AGENT);
  return {
    allows,
    delay: delay > 0 ? Math.min(delay * 1000, MAX_DELAY_MS) : 0,
    sitemaps: sitemaps.filter((address) => URL.canParse(address)).slice(0, MAX_SITEMAPS),
    ...(trouble !== undefined && { trouble }),
  };
}
