import type { Caller, CredentialState } from '../caller.ts';
import type { Logger } from '../log.ts';

export type CredentialWatch = ReturnType<typeof createCredentialWatch>;

export interface CredentialWatchOptions {
  readonly standingOf: (caller: Caller) => CredentialState | Promise<CredentialState>;
  readonly log: Logger;
  readonly intervalMs?: number;
}

interface WatchedCredential {
  readonly caller: Caller;
  readonly when: 'ended' | 'revoked';
  readonly end: () => void;
}

export function createCredentialWatch(options: CredentialWatchOptions) {
  const { standingOf, log, intervalMs = 2000 } = options;
  const watched = new Set<WatchedCredential>();

  /** A credential that cannot be checked counts as ended. The client learns the reason when it reconnects. */
  const judge = async (caller: Caller): Promise<CredentialState> => {
    try {
      return await standingOf(caller);
    } catch (err) {
      log.warn({ err }, 'a stream is ended: its credential cannot be checked');
      return 'ended';
    }
  };
  const checkNow = async (owner?: string) => {
    const due = [...watched].filter(({ caller }) => owner === undefined || caller.id === owner);
    const judged = new Map<string, Promise<CredentialState>>();
    const standings = due.map(({ caller }) => {
      const name = `${caller.credential ?? ''} ${caller.expiresAt ?? ''} ${caller.grant ?? ''}`;
      const standing = judged.get(name) ?? judge(caller);
      judged.set(name, standing);
      return standing;
    });
    for (const [at, standing] of (await Promise.all(standings)).entries()) {
      const one = due[at];
      if (!one || (standing !== 'revoked' && standing !== one.when) || !watched.delete(one)) continue;
      one.end();
    }
  };
  const timer = setInterval(() => void checkNow(), intervalMs).unref();

  return {
    /** Calls `end` when the credential is revoked or (with `ended`) expires. Returns a function to stop. */
    watchCaller(caller: Caller, when: 'ended' | 'revoked', end: () => void): () => void {
      const one = { caller, when, end };
      watched.add(one);
      return () => void watched.delete(one);
    },
    checkNow,
    close(): void {
      clearInterval(timer);
      watched.clear();
    },
  };
}

export function makeEndable(answer: Response) {
  const reader = (answer.body ?? new Blob([]).stream()).getReader();
  const end = (reason?: unknown) => reader.cancel(reason).catch(() => {});
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await reader.read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: end,
  });
  return {
    response: new Response(body, answer),
    end: () => void end(),
    ended: reader.closed.catch(() => {}),
  };
}
