import { randomBytes } from 'node:crypto';
import { AppError } from '../errors.ts';
import type { Operation } from '../operation.ts';

/** What a user is asked for on a page of ours, for one call. */
export interface Asking {
  /** The caller for whom the call runs; nobody else's call gets the answer. */
  readonly owner: string;
  readonly title: string;
  /** Names of the parameters. */
  readonly names: readonly string[];
}

/**
 * Where a call that lacks credentials and the page on which its user gives them meet, so that they pass through
 * neither the model nor an address. What is given is in memory until the call takes it, or ten minutes; of this
 * process only.
 */
export interface CredentialDesk {
  /** The number under which the user is asked: whoever knows it may answer, so it is long and random. */
  open(asking: Asking): string;
  look(ticket: string): Asking | undefined;
  /** False where nobody waits for it any more, or it was given already. */
  give(ticket: string, values: Readonly<Record<string, string>>): boolean;
  /**
   * What was given, once; undefined when `ms` milliseconds are over. AppError `bad_request` for a ticket that is
   * over or another caller's; rejects as the signal says.
   */
  take(
    ticket: string,
    owner: string,
    ms: number,
    signal: AbortSignal,
  ): Promise<Record<string, string> | undefined>;
}

const LASTS = 600_000;
const MOST = 500;

interface Place {
  readonly asking: Asking;
  readonly until: number;
  readonly given: PromiseWithResolvers<void>;
  values?: Record<string, string>;
}

export function createCredentialDesk(now: () => number = Date.now): CredentialDesk {
  const places = new Map<string, Place>();

  function placeOf(ticket: string): Place | undefined {
    const place = places.get(ticket);
    if (place && place.until > now()) return place;
    places.delete(ticket);
    return undefined;
  }

  /** Forgets what is over, oldest first, and the oldest of all where there is no room. */
  function makeRoom(): void {
    for (const [ticket, { until }] of places) {
      if (until > now() && places.size < MOST) return;
      places.delete(ticket);
    }
  }

  return {
    open(asking) {
      makeRoom();
      const ticket = randomBytes(32).toString('base64url');
      const forget = setTimeout(() => places.delete(ticket), LASTS).unref();
      const given = Promise.withResolvers<void>();
      given.promise.then(() => clearTimeout(forget));
      places.set(ticket, { asking, until: now() + LASTS, given });
      return ticket;
    },
    look: (ticket) => {
      const place = placeOf(ticket);
      return place?.values === undefined ? place?.asking : undefined;
    },
    give(ticket, values) {
      const place = placeOf(ticket);
      if (!place || place.values !== undefined) return false;
      place.values = { ...values };
      place.given.resolve();
      setTimeout(() => places.delete(ticket), LASTS).unref();
      return true;
    },
    async take(ticket, owner, ms, signal) {
      const place = placeOf(ticket);
      if (!place || place.asking.owner !== owner) {
        throw new AppError('bad_request', 'the page for these credentials is over: call again for a new one');
      }
      await until(place.given.promise, ms, signal);
      if (place.values !== undefined) places.delete(ticket);
      return place.values;
    },
  };
}

async function until(promise: Promise<void>, ms: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const { promise: over, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  const stop = () => reject(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  try {
    await Promise.race([promise, over]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}

/** The header in which a secret parameter may come, so that it stays out of the address. */
export function credentialHeader(name: string): string {
  return `X-${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

/** Secret parameters of an operation that a request has in its headers. */
export function credentialsInHeaders(
  { secret = [] }: Pick<Operation, 'secret'>,
  header: (name: string) => string | null | undefined,
): Record<string, string> {
  const found = secret.map((name) => [name, header(credentialHeader(name))] as const);
  return Object.fromEntries(found.filter((entry): entry is readonly [string, string] => Boolean(entry[1])));
}
