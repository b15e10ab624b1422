import { AppError, tooLargeError } from '../../errors.ts';
import type { ProcessorMeter } from '../../lib/workers/processor-meter.ts';
import type { CallAccounting, ExtraRequestCost, LimitedOperation, RequestClient } from '../types.ts';
import { createCallScheduler } from './call-scheduler.ts';
import type { DailyQuotaCounter } from './daily-quota-counter.ts';
import { networkOf } from './network.ts';
import { createRateLimiter, type QuotaState } from './rate-limiter.ts';
import {
  createSharedRateLimiter,
  type RequestRateLimiter,
  type SharedRateCounter,
} from './shared-rate-limiter.ts';

/** Limits of a key or token (0: unlimited). Limits of a user or address are `SHARED_FACTOR` times higher. */
export interface LimitRules {
  readonly requests: number;
  readonly concurrent: number;
  readonly fetches: number;
  readonly inserts: number;
  readonly bytes: number;
}

type CallLimits = Pick<CallAccounting, 'enterCall' | 'enterTurn' | 'countFetch'>;

export interface CallerLimiter extends CallLimits {
  /** Counts a request without a valid credential. Throws `rate_limited` if the quota is used up. */
  countAddress(address: string, setHeader: SetHeader): CountResult;
  isAddressSpent(address: string): boolean;
  /** Counts a request of a key or token and sets its quota headers. Throws AppError `rate_limited`. */
  countCredential(caller: CountedCaller, setHeader: SetHeader): Promise<void>;
  /** Counts a large request as several requests of the credential and of its user. Throws `rate_limited`. */
  countWork(caller: CountedCaller, work: ExtraRequestCost, setHeader: SetHeader): void;
  /** Returns a function that counts processor time (ms) of a request. `page` is for the upload page. */
  createMeter(caller: CountedCaller, policy: 'key' | 'page', setHeader: SetHeader): ProcessorMeter;
  countPageUser(user: string, setHeader: SetHeader): CountResult;
}

export interface CountedCaller {
  readonly user: string;
  readonly credential: string;
}

type CountResult = Promise<void> | undefined;
type SetHeader = RequestClient['setHeader'];

export interface LimitsOptions {
  readonly rules: LimitRules;
  readonly days: DailyQuotaCounter;
  readonly readStoredBytes: (user: string) => Promise<number>;
  readonly now: () => number;
  readonly processorCount: number;
  readonly counter?: SharedRateCounter | undefined;
}

const MINUTE_MS = 60_000;
/** Bytes of a request's body that cost as much as one request. */
const BYTES_A_UNIT = 100_000;
const MEMBERS_A_UNIT = 1000;
/** A caller that uses this share of the server's processor time uses up its whole quota. */
const PROCESSOR_SHARE = 0.5;
const BYTES_A_PROCESSOR = 250_000_000;
/** The processor time of one request can use up at most this share of a quota. */
const MAX_PART_A_REQUEST = 0.5;
/** Users and addresses get higher limits: a user has several keys, and people share an address. */
const SHARED_FACTOR = 4;

export function createCallerLimiter(options: LimitsOptions): CallerLimiter {
  return { ...createRequestLimits(options), ...createCallLimits(options) };
}

function createRequestLimits(options: LimitsOptions): Omit<CallerLimiter, keyof CallLimits> {
  const { rules, now, processorCount, counter } = options;
  const { requests } = rules;
  const shared = requests * SHARED_FACTOR;
  const quotas = { address: shared, user: shared, key: requests, page: requests };
  type Policy = keyof typeof quotas;
  const rate = (policy: Policy): RequestRateLimiter | undefined => {
    const quota = { quota: quotas[policy], windowMs: MINUTE_MS, now };
    if (quota.quota === 0) return undefined;
    if (counter) return createSharedRateLimiter({ ...quota, counter, policy });
    const own = createRateLimiter(quota);
    return { ...own, countWork: own.countRequest };
  };
  const rates = { address: rate('address'), user: rate('user'), key: rate('key'), page: rate('page') };
  const unitMs = (MINUTE_MS * Math.max(1, processorCount * PROCESSOR_SHARE)) / Math.max(1, requests);

  function showQuota(policy: Policy, { remaining, resetMs }: QuotaState, setHeader: SetHeader): void {
    setHeader('RateLimit-Policy', `"${policy}";q=${quotas[policy]};w=${MINUTE_MS / 1000}`);
    setHeader('RateLimit', `"${policy}";r=${remaining};t=${Math.ceil(resetMs / 1000)}`);
  }

  function judge(policy: Policy, state: QuotaState | undefined, setHeader: SetHeader): undefined {
    if (!state) return;
    if (state.ok && (policy === 'address' || policy === 'user')) return;
    showQuota(policy, state, setHeader);
    if (state.ok) return;
    const used = `this ${policy} has used up its ${quotas[policy]} requests a minute (a heavy one counts as several)`;
    throw tooMany(used, state.waitMs);
  }

  function count(policy: Policy, subject: string, setHeader: SetHeader): CountResult {
    const state = rates[policy]?.countRequest(subject);
    if (state instanceof Promise) return state.then((counted) => judge(policy, counted, setHeader));
    return judge(policy, state, setHeader);
  }

  return {
    countAddress: (address, setHeader) => count('address', networkOf(address, 'client'), setHeader),
    isAddressSpent: (address) => rates.address?.findRefusal(networkOf(address, 'client')) !== undefined,
    async countCredential({ user, credential }, setHeader) {
      await count('key', credential, setHeader);
      await count('user', user, setHeader);
    },
    countPageUser: (user, setHeader) => count('page', user, setHeader),
    countWork({ user, credential }, { requests: further = 0, bytes = 0, members = 0 }, setHeader) {
      const units = further + Math.floor(bytes / BYTES_A_UNIT) + Math.floor(members / MEMBERS_A_UNIT);
      if (units === 0) return;
      judge('key', rates.key?.countWork(credential, units), setHeader);
      judge('user', rates.user?.countWork(user, units), setHeader);
    },
    createMeter({ user, credential }, policy, setHeader) {
      let left = requests * MAX_PART_A_REQUEST;
      return (processorMs, heldBytes = 0) => {
        const units = Math.min(left, (processorMs * (1 + heldBytes / BYTES_A_PROCESSOR)) / unitMs);
        left -= units;
        rates.user?.addCost(user, units);
        const state = rates[policy]?.addCost(policy === 'page' ? user : credential, units);
        if (state) showQuota(policy, state, setHeader);
      };
    },
  };
}

interface Subject {
  readonly name: string;
  readonly factor: number;
}

function createCallLimits({ rules, days, readStoredBytes }: LimitsOptions): CallLimits {
  const places = createPlaces(rules.concurrent);
  const turns = createCallScheduler(() => performance.now());

  async function countDay(subjects: readonly Subject[], operation: LimitedOperation): Promise<void> {
    const quotas = dayQuotas(subjects, operation, rules);
    const full = await days.countWithin(quotas);
    if (!full) return;
    const done = full.what === 'fetches' ? 'fetched from the web' : 'stored something';
    const message = `${full.max} calls of today ${done}, which is the limit for one day (in UTC)`;
    throw tooMany(message, days.leftMs());
  }

  async function checkStored(user: string): Promise<void> {
    if (rules.bytes === 0) return;
    const bytes = await readStoredBytes(user);
    if (bytes < rules.bytes) return;
    throw tooLargeError(
      `${bytes} bytes are stored, and the limit is ${rules.bytes}: delete entries or files first`,
    );
  }

  return {
    async enterCall({ id, credential }, operation, signal) {
      if (credential === undefined) return nothing;
      const subjects = subjectsOf(credential, id);
      // Registers the call before the first await, so that simultaneous calls cannot exceed the limit.
      const endings = [places.enter(subjects)];
      const leave = () => {
        for (const end of endings) end();
      };
      try {
        endings.push(await turns.enter(id, signal));
        await countDay(subjects, operation);
        if (operation.effect === 'write') await checkStored(id);
      } catch (error) {
        leave();
        throw error;
      }
      return leave;
    },
    enterTurn: async ({ id, credential }, signal) =>
      credential === undefined ? nothing : turns.enter(id, signal),
    async countFetch({ id, credential }) {
      if (credential === undefined) return true;
      const quotas = dayQuotas(subjectsOf(credential, id), FETCH, rules);
      return (await days.countWithin(quotas)) === undefined;
    },
  };
}

const FETCH: LimitedOperation = { name: 'fetch', effect: 'read', openWorld: true };

function subjectsOf(credential: string, user: string): readonly Subject[] {
  return [
    { name: `key ${credential}`, factor: 1 },
    { name: `user ${user}`, factor: SHARED_FACTOR },
  ];
}

function dayQuotas(subjects: readonly Subject[], { effect, openWorld }: LimitedOperation, rules: LimitRules) {
  const counted: ('fetches' | 'inserts')[] = [];
  if (openWorld && rules.fetches > 0) counted.push('fetches');
  if (effect === 'write' && rules.inserts > 0) counted.push('inserts');
  return subjects.flatMap(({ name, factor }) =>
    counted.map((what) => ({ subject: name, what, max: rules[what] * factor })),
  );
}

function createPlaces(concurrent: number) {
  const running = new Map<string, number>();
  return {
    enter(subjects: readonly Subject[]): () => void {
      for (const { name, factor } of subjects) {
        if (concurrent === 0 || (running.get(name) ?? 0) < concurrent * factor) continue;
        throw tooMany(`${concurrent * factor} calls are running, which is the limit at once`, 1000);
      }
      for (const { name } of subjects) running.set(name, (running.get(name) ?? 0) + 1);
      return () => {
        for (const { name } of subjects) {
          const left = (running.get(name) ?? 1) - 1;
          if (left > 0) running.set(name, left);
          else running.delete(name);
        }
      };
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
