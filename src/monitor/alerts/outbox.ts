import { asAppError } from '../../errors.ts';
import { BoundedMap } from '../../lib/concurrency/bounded-map.ts';
import { redactSecrets } from '../../lib/secrets/redact.ts';
import type { Logger } from '../../log.ts';
import { releaseDeadLeases } from '../scheduling/leases.ts';
import { createPump, type Pump } from '../scheduling/pump.ts';
import { type Message, type MessageStore, OWN } from '../store.ts';
import type { MonitorEvents } from '../types.ts';
import { RefusedError, type Sender } from './notification.ts';

export interface OutboxOptions {
  readonly store: MessageStore;
  /** Channels of the operator that this process has. */
  readonly senders: Readonly<Record<string, Sender>>;
  /** For a message to a monitor's own webhook; undefined when it was removed. */
  ownSender(message: Message): Promise<Sender | undefined>;
  /** Whether another process sends at present. */
  isLeft?: () => boolean | Promise<boolean>;
  readonly log: Logger;
  /** Milliseconds before each new attempt; after the last one a message is dead. */
  readonly retries?: readonly number[];
  /** Called after each attempt. */
  readonly onSent: MonitorEvents['onSent'];
}

/**
 * About seven hours, so that a receiver's bad night loses nothing; each minute, so that it arrives at most a minute after its
 * place answers again.
 */
const RETRY_DELAYS_MS = [2000, 10_000, ...Array<number>(418).fill(60_000)];
/** Milliseconds of one attempt, and of its lease. */
const [ATTEMPT_MS, LEASE_MS] = [30_000, 40_000];
/** Attempts at once; of one place the store gives few of these. */
const CONCURRENCY = 32;
/** Attempts of one that is older than all retries take: it waited behind others that had that time. */
const MIN_ATTEMPTS = 3;
/** Milliseconds after which one is given up whose place refuses it, as a mail server does with a wrong password. */
const REFUSED_MS = 3_600_000;
/** Characters of the reason that is kept of a failure. */
const MAX_TROUBLE_CHARACTERS = 500;

/** Places whose rests are remembered, and milliseconds of a rest at most. */
const [MAX_RESTING, MAX_REST_MS] = [1000, 3_600_000];

/** A place that is left alone for a while. */
interface Rest {
  /** On the clock of `performance`. */
  readonly until: number;
  /** Why it refuses, where it does. */
  readonly refusal: RefusedError | undefined;
}

/** Why a message to a monitor's own webhook is given up without an attempt. */
export const WEBHOOK_REMOVED = 'its webhook was removed';

/**
 * Brings messages to their places: they are in the database before this, so that none is lost with the process. One
 * that is sent but not yet marked when the process ends comes again, under the same name.
 */
export function createOutbox(options: OutboxOptions): Pump {
  const { store, senders, ownSender, log, retries = RETRY_DELAYS_MS, onSent } = options;
  const channels = [...Object.keys(senders), OWN];
  const resting = new BoundedMap<Rest>(MAX_RESTING);
  const retryingMs = retries.reduce((sum, wait) => sum + wait, 0);

  async function send(message: Message, closing: AbortSignal): Promise<void> {
    const { id, name, notification, channel } = message;
    const rest = resting.get(placeOf(message));
    const restMs = (rest?.until ?? 0) - performance.now();
    if (restMs > 0) {
      const isGivenUp = rest?.refusal && isLate(message, true, Date.now());
      return isGivenUp ? fail(message, rest.refusal, true, closing.aborted) : waitFor(message, restMs);
    }
    const sender = channel === OWN ? await ownSender(message) : senders[channel];
    try {
      if (!sender) throw new Error(WEBHOOK_REMOVED);
      await sender.send(name, notification, AbortSignal.any([closing, AbortSignal.timeout(ATTEMPT_MS)]));
      await store.markSent(id, Date.now());
      onSent(channel, 'sent');
    } catch (error) {
      await fail(message, error, sender !== undefined, closing.aborted);
    }
  }

  async function fail(
    message: Message,
    error: unknown,
    hasSender: boolean,
    isClosing: boolean,
  ): Promise<void> {
    const { id, channel } = message;
    const now = Date.now();
    // The end of this process is not the receiver's failure: the message is taken again at once.
    const asked = isClosing ? 0 : restAskedFor(error);
    if (asked > 0) letRest(message, error, asked);
    const isOver = !hasSender || isLate(message, error instanceof RefusedError, now);
    const planned = waitAfter(message, isOver, isClosing);
    const wait = planned === undefined ? undefined : Math.max(planned, asked);
    await store.markFailed(id, troubleOf(error), now, wait === undefined ? undefined : now + wait);
    if (isClosing) return;
    onSent(channel, wait === undefined ? 'dead' : 'failed');
    const next = wait === undefined ? 'it is given up, and kept' : `next attempt in ${wait / 1000} s`;
    const isNews = message.attempts === 0 || wait === undefined;
    const text = `a notification of an alert did not arrive: ${next}`;
    log[isNews ? 'warn' : 'debug']({ err: error, channel }, text);
  }

  /** Milliseconds before the next attempt; undefined where there is none. */
  function waitAfter({ attempts }: Message, isOver: boolean, isClosing: boolean): number | undefined {
    if (isClosing) return 0;
    return isOver ? undefined : retries[attempts];
  }

  function letRest(message: Message, error: unknown, askedMs: number): void {
    const until = performance.now() + askedMs;
    // What is given up in that time asks for no further rest.
    const refusal = error instanceof RefusedError ? new RefusedError(error.message) : undefined;
    resting.set(placeOf(message), { until, refusal });
  }

  /** Whether it is older than all its attempts take. */
  function isLate({ madeAt, attempts }: Message, isRefused: boolean, now: number): boolean {
    const mostMs = isRefused ? Math.min(REFUSED_MS, retryingMs) : retryingMs;
    return now - madeAt > mostMs && attempts + 1 >= MIN_ATTEMPTS;
  }

  /** Its place has asked for a rest: nothing is sent to it until then. */
  async function waitFor({ id }: Message, rest: number): Promise<void> {
    const now = Date.now();
    await store.markFailed(id, 'its place asks to wait', now, now + Math.ceil(rest));
  }

  const pump = createPump<Message>({
    take: (limit) => store.takeMessages(limit, channels, Date.now(), Date.now() + LEASE_MS),
    nextAt: () => store.nextMessageAt(channels),
    run: send,
    async tidy() {
      await releaseDeadLeases(store);
      await store.bringForward(Date.now());
    },
    concurrency: CONCURRENCY,
    isLeft: options.isLeft,
    log,
  });
  return {
    wake: pump.wake,
    async close() {
      await pump.close();
      await store.releaseLeases();
    },
  };
}

/** One monitor's own place, or a channel of the operator's. */
function placeOf({ channel, monitor, webhook }: Message): string {
  return channel === OWN ? `${OWN} ${monitor ?? webhook}` : channel;
}

/** Milliseconds that a place asks to be left alone. */
function restAskedFor(error: unknown): number {
  return Math.min(MAX_REST_MS, (asAppError(error).retryAfter ?? 0) * 1000);
}

function troubleOf(error: unknown): string {
  const known = asAppError(error);
  const text = known.code === 'internal' ? messageOf(error) : known.message;
  return redactSecrets(text).slice(0, MAX_TROUBLE_CHARACTERS);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
