import { asAppError } from '../../errors.ts';
import { BoundedMap } from '../../lib/concurrency/bounded-map.ts';
import { redactSecrets } from '../../lib/secrets/redact.ts';
import type { Logger } from '../../log.ts';
import { releaseDeadLeases } from '../scheduling/leases.ts';
import { createWorkLoop, type WorkLoop } from '../scheduling/work-loop.ts';
import type { MonitorEvents } from '../service-types.ts';
import { type NotificationStore, OWN_WEBHOOK_CHANNEL, type QueuedMessage } from '../store.ts';
import { NotificationRefusedError, type NotificationSender } from './notification.ts';

export interface OutboxOptions {
  readonly store: NotificationStore;
  readonly senders: Readonly<Record<string, NotificationSender>>;
  ownSender(message: QueuedMessage): Promise<NotificationSender | undefined>;
  isLeft?: () => boolean | Promise<boolean>;
  readonly log: Logger;
  /** Delays in ms before the second attempt, the third and so on. Then the message is given up. */
  readonly retries?: readonly number[];
  readonly onSent: MonitorEvents['onSent'];
}

/** Delays in ms between attempts. The sum is about seven hours, because a receiver may be down overnight. */
const RETRY_DELAYS_MS = [2000, 10_000, ...Array<number>(418).fill(60_000)];
const [ATTEMPT_MS, LEASE_MS] = [30_000, 40_000];
const CONCURRENCY = 32;
/** Minimum number of attempts, also for a message that is older than the sum of all delays. */
const MIN_ATTEMPTS = 3;
/** Age in ms at which a message is given up if the receiver refuses it, for example for a wrong password. */
const REFUSED_MS = 3_600_000;
const MAX_TROUBLE_CHARACTERS = 500;

/** Maximum number of receivers whose `Retry-After` is remembered, and the maximum wait in ms. */
const [MAX_RESTING, MAX_REST_MS] = [1000, 3_600_000];

interface RetryPause {
  /** End of the wait, as a value of `performance.now()`. */
  readonly until: number;
  readonly refusal: NotificationRefusedError | undefined;
}

export const WEBHOOK_REMOVED_MESSAGE = 'its webhook was removed';

/** Sends queued messages. After a crash, a message may be sent again with the same id (`name`). */
export function createOutbox(options: OutboxOptions): WorkLoop {
  const { store, senders, ownSender, log, retries = RETRY_DELAYS_MS, onSent } = options;
  const channels = [...Object.keys(senders), OWN_WEBHOOK_CHANNEL];
  const resting = new BoundedMap<RetryPause>(MAX_RESTING);
  const retryingMs = retries.reduce((sum, wait) => sum + wait, 0);

  async function send(message: QueuedMessage, closing: AbortSignal): Promise<void> {
    const { id, name, notification, channel } = message;
    const rest = resting.get(receiverOf(message));
    const restMs = (rest?.until ?? 0) - performance.now();
    if (restMs > 0) {
      const isGivenUp = rest?.refusal && isLate(message, true, Date.now());
      return isGivenUp ? fail(message, rest.refusal, true, closing.aborted) : waitFor(message, restMs);
    }
    const sender = channel === OWN_WEBHOOK_CHANNEL ? await ownSender(message) : senders[channel];
    try {
      if (!sender) throw new Error(WEBHOOK_REMOVED_MESSAGE);
      await sender.send(name, notification, AbortSignal.any([closing, AbortSignal.timeout(ATTEMPT_MS)]));
      await store.markSent(id, Date.now());
      onSent(channel, 'sent');
    } catch (error) {
      await fail(message, error, sender !== undefined, closing.aborted);
    }
  }

  async function fail(message: QueuedMessage, error: unknown, hasSender: boolean, isClosing: boolean) {
    const { id, channel } = message;
    const now = Date.now();
    // If this process is closing, the error and its `retryAfter` do not come from the receiver.
    const asked = isClosing ? 0 : Math.min(MAX_REST_MS, (asAppError(error).retryAfter ?? 0) * 1000);
    if (asked > 0) letRest(message, error, asked);
    const isOver = !hasSender || isLate(message, error instanceof NotificationRefusedError, now);
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

  function waitAfter({ attempts }: QueuedMessage, isOver: boolean, isClosing: boolean): number | undefined {
    if (isClosing) return 0;
    return isOver ? undefined : retries[attempts];
  }

  function letRest(message: QueuedMessage, error: unknown, askedMs: number): void {
    const until = performance.now() + askedMs;
    // Error for messages during the wait. It lacks `retryAfter`, which would prolong the wait.
    const refusal =
      error instanceof NotificationRefusedError ? new NotificationRefusedError(error.message) : undefined;
    resting.set(receiverOf(message), { until, refusal });
  }

  function isLate({ madeAt, attempts }: QueuedMessage, isRefused: boolean, now: number): boolean {
    const mostMs = isRefused ? Math.min(REFUSED_MS, retryingMs) : retryingMs;
    return now - madeAt > mostMs && attempts + 1 >= MIN_ATTEMPTS;
  }

  async function waitFor({ id }: QueuedMessage, rest: number): Promise<void> {
    const now = Date.now();
    await store.markFailed(id, 'its place asks to wait', now, now + Math.ceil(rest));
  }

  const pump = createWorkLoop<QueuedMessage>({
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

function receiverOf({ channel, monitor, webhook }: QueuedMessage): string {
  return channel === OWN_WEBHOOK_CHANNEL ? `${OWN_WEBHOOK_CHANNEL} ${monitor ?? webhook}` : channel;
}

function troubleOf(error: unknown): string {
  const known = asAppError(error);
  const text = known.code === 'internal' ? messageOf(error) : known.message;
  return redactSecrets(text).slice(0, MAX_TROUBLE_CHARACTERS);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
