import { randomBytes } from 'node:crypto';
import type { Caller } from '../caller.ts';
import { AppError } from '../errors.ts';
import { credentialHeader } from '../lib/credential-header.ts';
import type { Lacking, Operation } from '../operation.ts';
import type { CredentialWatch } from './credential-watch.ts';

/** What a user is asked for on a page of ours, for one call. */
export interface Asking extends Lacking {
  /** For whom the call runs: nobody else's call gets the answer, and the page ends with this caller's credential. */
  readonly caller: Caller;
  readonly title: string;
}

/**
 * Where a call that lacks credentials and the page on which its user gives them meet, so that they pass through
 * neither the model nor an address. What is given is in memory until the call takes it, or ten minutes, or until the
 * caller's own credential is revoked or over; of this process only.
 */
export interface CredentialDesk {
  /** The number under which the user is asked: whoever knows it may answer, so it is long and random. */
  open(asking: Asking): string;
  look(ticket: string): Asking | undefined;
  /** False where nobody waits for it any more, or it was given already. */
  give(ticket: string, values: Readonly<Record<string, string>>): boolean;
  /**
   * What was given, once; undefined when `ms` milliseconds are over. AppError `bad_request` for a ticket that is
   * over or another caller's; rejects as the signal says, which ends the page.
   */
  take(
    ticket: string,
    caller: Caller,
    ms: number,
    signal: AbortSignal,
  ): Promise<Record<string, string> | undefined>;
  /** The page is over, and what was given on it is forgotten. */
  end(ticket: string): void;
}

const LASTS = 600_000;
const MOST = 500;

interface Place {
  asking: Asking;
  readonly until: number;
  readonly timer: NodeJS.Timeout;
  /** Has the caller's credential watched no more. */
  unwatch: () => void;
  /** Settles when it is given, or over. */
  readonly settled: PromiseWithResolvers<void>;
  values?: Record<string, string>;
}

export interface CredentialDeskOptions {
  /** Tells when a caller's credential is good no more; left out where callers have none. */
  readonly watch?: Pick<CredentialWatch, 'add' | 'look'>;
  readonly now?: () => number;
}

export function createCredentialDesk({ watch, now = Date.now }: CredentialDeskOptions = {}): CredentialDesk {
  const places = new Map<string, Place>();

  function end(ticket: string): void {
    const place = places.get(ticket);
    if (!place) return;
    places.delete(ticket);
    clearTimeout(place.timer);
    place.unwatch();
    place.settled.resolve();
  }

  const watched = (ticket: string, caller: Caller) =>
    watch?.add(caller, 'over', () => end(ticket)) ?? (() => {});

  function placeOf(ticket: string): Place | undefined {
    const known = places.get(ticket);
    if (!known) return undefined;
    watch?.look(known.asking.caller.id);
    if (known.until <= now()) end(ticket);
    return places.get(ticket);
  }

  /** Forgets what is over, oldest first, and the oldest of all where there is no room. */
  function makeRoom(): void {
    for (const [ticket, { until }] of places) {
      if (until > now() && places.size < MOST) return;
      end(ticket);
    }
  }

  return {
    open(asking) {
      makeRoom();
      const ticket = randomBytes(32).toString('base64url');
      places.set(ticket, {
        asking,
        until: now() + LASTS,
        timer: setTimeout(() => end(ticket), LASTS).unref(),
        unwatch: watched(ticket, asking.caller),
        settled: Promise.withResolvers<void>(),
      });
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
      place.settled.resolve();
      return true;
    },
    async take(ticket, caller, ms, signal) {
      const place = placeOf(ticket);
      if (!place || place.asking.caller.id !== caller.id) throw over();
      // Whoever waits for it now may have come with another credential than the one that it was opened with.
      place.unwatch();
      place.asking = { ...place.asking, caller };
      place.unwatch = watched(ticket, caller);
      try {
        await until(place.settled.promise, ms, signal);
      } catch (error) {
        end(ticket);
        throw error;
      }
      const { values } = place;
      const lasts = places.has(ticket);
      if (values !== undefined) end(ticket);
      if (!lasts) throw over();
      return values;
    },
    end,
  };
}

function over(): AppError {
  return new AppError('bad_request', 'the page for these credentials is over: call again for a new one');
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

/** Secret parameters of an operation that a request has in its headers. */
export function credentialsInHeaders(
  { secret = [] }: Pick<Operation, 'secret'>,
  header: (name: string) => string | null | undefined,
): Record<string, string> {
  const found = secret.map((name) => [name, header(credentialHeader(name))] as const);
  return Object.fromEntries(found.filter((entry): entry is readonly [string, string] => Boolean(entry[1])));
}
