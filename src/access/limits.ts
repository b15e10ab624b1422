import type { Caller } from '../caller.ts';
import { AppError } from '../errors.ts';
import type { DayCounts } from './day-counts.ts';
import { networkOf } from './network.ts';
import { createRate, type Rate } from './rate.ts';

/** What one credential may do; 0 is without limit. One address may do `PER_ADDRESS` times as much. */
export interface LimitRules {
  /** Requests a minute. */
  readonly requests: number;
  /** Calls at once. */
  readonly concurrent: number;
  /** Calls a day that fetch from the web, and that keep something. */
  readonly fetches: number;
  readonly inserts: number;
  /** Bytes that a user may have stored. */
  readonly bytes: number;
}

/** What limits need to know of an operation. */
export interface Weighed {
  readonly name: string;
  readonly effect: 'read' | 'write' | 'destroy';
  readonly openWorld: boolean;
}

export interface Limits {
  /** Counts a request of an address, before anybody knows whose it is. AppError `rate_limited`, and only then told. */
  fromAddress(address: string, tell: Tell): void;
  /** Counts a request of a credential, and tells how it stands. AppError `rate_limited`. */
  ofCredential(credential: string, tell: Tell): void;
  /** The same for a user at the upload page, who may make as many requests there as with a key. */
  ofPage(user: string, tell: Tell): void;
  /**
   * Before a call runs: AppError `rate_limited` that says when to try again, or `too_large` when the user may
   * store no more. What it gives is called at the call's end.
   */
  enter(caller: Caller, operation: Weighed): Promise<() => void>;
}

type Tell = (name: string, value: string) => void;

export interface LimitsOptions {
  readonly rules: LimitRules;
  readonly days: DayCounts;
  /** Bytes that a user has stored. */
  readonly stored: (user: string) => Promise<number>;
  readonly now: () => number;
}

const MINUTE = 60_000;
/** Several people may share an address. */
const PER_ADDRESS = 4;

export function createLimits({ rules, days, stored, now }: LimitsOptions): Limits {
  const { requests, concurrent } = rules;
  const rate = (quota: number) => (quota > 0 ? createRate({ quota, window: MINUTE, now }) : undefined);
  const addresses = rate(requests * PER_ADDRESS);
  const credentials = rate(requests);
  const pages = rate(requests);
  // As in draft-ietf-httpapi-ratelimit-headers-11.
  const policies = {
    address: `"address";q=${requests * PER_ADDRESS};w=${MINUTE / 1000}`,
    key: `"key";q=${requests};w=${MINUTE / 1000}`,
    page: `"page";q=${requests};w=${MINUTE / 1000}`,
  };
  /** Calls under way by subject; those without any are not in it. */
  const running = new Map<string, number>();

  function take(rates: Rate | undefined, subject: string, policy: keyof typeof policies, tell: Tell): void {
    if (!rates) return;
    const { ok, remaining, resetMs, waitMs } = rates.take(subject);
    // An address is told its share only once it is over: the one of its key is what a client goes by.
    if (ok && policy === 'address') return;
    tell('RateLimit-Policy', policies[policy]);
    tell('RateLimit', `"${policy}";r=${remaining};t=${Math.ceil(resetMs / 1000)}`);
    if (ok) return;
    const quota = policy === 'address' ? requests * PER_ADDRESS : requests;
    throw tooMany(`this ${policy} has made ${quota} requests in a minute, which is the most`, waitMs);
  }

  function countDay(subject: string, what: 'fetches' | 'inserts', most: number): void {
    if (days.value(subject, what) < most) return;
    const done = what === 'fetches' ? 'fetched from the web' : 'stored something';
    throw tooMany(`${most} calls of today ${done}, which is the most for one day (in UTC)`, days.leftMs());
  }

  async function checkStored(user: string): Promise<void> {
    if (rules.bytes === 0) return;
    const bytes = await stored(user);
    if (bytes < rules.bytes) return;
    throw new AppError(
      'too_large',
      `${bytes} bytes are stored, and ${rules.bytes} may be: delete entries or files first`,
    );
  }

  return {
    fromAddress(address, tell) {
      take(addresses, networkOf(address, 'client'), 'address', tell);
    },
    ofCredential(credential, tell) {
      take(credentials, credential, 'key', tell);
    },
    ofPage(user, tell) {
      take(pages, user, 'page', tell);
    },
    async enter({ id, credential, address = '' }, { effect, openWorld }) {
      if (credential === undefined) return nothing;
      const subjects = [`key ${credential}`, `address ${networkOf(address, 'client')}`] as const;
      const counted: ('fetches' | 'inserts')[] = [];
      if (openWorld && rules.fetches > 0) counted.push('fetches');
      if (effect === 'write' && rules.inserts > 0) counted.push('inserts');
      for (const [place, subject] of subjects.entries()) {
        const times = place === 0 ? 1 : PER_ADDRESS;
        if (concurrent > 0 && (running.get(subject) ?? 0) >= concurrent * times) {
          throw tooMany(`${concurrent * times} calls are running, which is the most at once`, 1000);
        }
        for (const what of counted) countDay(subject, what, rules[what] * times);
      }
      // Counted before the wait: what comes meanwhile has to see it.
      for (const subject of subjects) {
        running.set(subject, (running.get(subject) ?? 0) + 1);
        for (const what of counted) days.add(subject, what);
      }
      const leave = () => {
        for (const subject of subjects) {
          const left = (running.get(subject) ?? 1) - 1;
          if (left > 0) running.set(subject, left);
          else running.delete(subject);
        }
      };
      try {
        if (effect === 'write') await checkStored(id);
      } catch (error) {
        leave();
        throw error;
      }
      return leave;
    },
  };
}

function nothing(): void {}

function tooMany(what: string, waitMs: number): AppError {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  return new AppError('rate_limited', `${what}: try again in ${spanOfSeconds(seconds)}`, {
    retryAfter: seconds,
  });
}

function spanOfSeconds(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  return seconds < 7200 ? `${Math.ceil(seconds / 60)} minutes` : `${Math.ceil(seconds / 3600)} hours`;
}
