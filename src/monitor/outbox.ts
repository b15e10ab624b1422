import { asAppError } from '../errors.ts';
import { redactSecrets } from '../lib/redact.ts';
import type { Logger } from '../log.ts';
import type { Sender } from './notice.ts';
import { createPump, type Pump } from './pump.ts';
import { type Message, type MessageStore, OWN } from './store.ts';

export interface OutboxOptions {
  readonly store: Pick<MessageStore, 'takeMessages' | 'nextMessageAt' | 'sent' | 'failed'>;
  /** Channels of the operator that this process has. */
  readonly senders: Readonly<Record<string, Sender>>;
  /** For a message to a monitor's own webhook; undefined when it was taken away. */
  ownSender(message: Message): Sender | undefined;
  /** Whether another process sends at present. */
  isLeft?: () => boolean;
  readonly log: Logger;
  /** Milliseconds before each new attempt; after the last one a message is dead. */
  readonly retries?: readonly number[];
  /** Told of each attempt. */
  onSent(channel: string, outcome: 'sent' | 'failed' | 'dead'): void;
}

/** About seven hours, so that a receiver's bad night loses nothing. */
const RETRIES = [2000, 10_000, 60_000, 600_000, 3_600_000, 21_600_000];
/** Milliseconds of one attempt, of its lease, and attempts at once; of one place the store gives few of these. */
const [ATTEMPT, LEASE, AT_ONCE] = [30_000, 40_000, 32];
/** Attempts of one that is older than all the time there is for them: it stood behind others that had that time. */
const FEW = 3;

/** Why a message to a monitor's own webhook is given up without an attempt. */
export const TAKEN_AWAY = 'its webhook was taken away';

/**
 * Brings messages to their places: they are in the database before this, so that none is lost with the process. One
 * that is sent but not yet marked when the process ends comes again, under the same name.
 */
export function createOutbox(options: OutboxOptions): Pump {
  const { store, senders, ownSender, log, retries = RETRIES, onSent } = options;
  const channels = [...Object.keys(senders), OWN];
  const patience = retries.reduce((sum, wait) => sum + wait, 0);

  async function send(message: Message, signal: AbortSignal): Promise<void> {
    const { id, channel, name, notice, attempts, madeAt } = message;
    const to = channel === OWN ? ownSender(message) : senders[channel];
    try {
      if (!to) throw new Error(TAKEN_AWAY);
      await to.send(name, notice, AbortSignal.any([signal, AbortSignal.timeout(ATTEMPT)]));
      store.sent(id);
      onSent(channel, 'sent');
    } catch (error) {
      // Nobody is to blame for the end of this process; the message is taken again at once.
      const now = Date.now();
      const last = !to || (now - madeAt > patience && attempts + 1 >= FEW);
      const wait = signal.aborted ? 0 : last ? undefined : retries[attempts];
      const told = asAppError(error);
      const trouble = redactSecrets(told.code === 'internal' ? messageOf(error) : told.message).slice(0, 500);
      store.failed(id, trouble, now, wait === undefined ? undefined : now + wait);
      if (signal.aborted) return;
      onSent(channel, wait === undefined ? 'dead' : 'failed');
      const given = wait === undefined ? 'it is given up, and kept' : `tried again in ${wait / 1000} s`;
      log.warn({ err: error, channel }, `a notice of an alert did not arrive: ${given}`);
    }
  }

  return createPump<Message>({
    take: (limit) => store.takeMessages(limit, channels, Date.now(), Date.now() + LEASE),
    nextAt: () => store.nextMessageAt(channels),
    run: send,
    // The schedule frees what others left behind, of both tables.
    tidy() {},
    atOnce: AT_ONCE,
    isLeft: options.isLeft,
    log,
  });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
