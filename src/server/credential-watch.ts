import type { Caller, Standing } from '../caller.ts';
import type { Logger } from '../log.ts';

/** Ends what outlasts a request once the credential that opened it is no longer valid. */
export interface CredentialWatch {
  /**
   * `end` is called when the caller's credential is revoked, and with `ended` also when it has expired. Returns the
   * function that stops watching.
   */
  watchCaller(caller: Caller, when: 'ended' | 'revoked', end: () => void): () => void;
  /**
   * Checks at once what one owner has open, or everything, and resolves when what has to end was ended. Never rejects.
   */
  checkNow(owner?: string): Promise<void>;
  close(): void;
}

export interface CredentialWatchOptions {
  readonly standingOf: (caller: Caller) => Standing | Promise<Standing>;
  readonly log: Logger;
  /** Milliseconds between two checks of everything. */
  readonly intervalMs?: number;
}

interface Watched {
  readonly caller: Caller;
  readonly when: 'ended' | 'revoked';
  readonly end: () => void;
}

/** It watches as many as there are sessions and streams, which others bound. */
export function createCredentialWatch({
  standingOf,
  log,
  intervalMs = 2000,
}: CredentialWatchOptions): CredentialWatch {
  const watched = new Set<Watched>();

  /** What cannot be checked is ended: the client comes again, and gets the reason. */
  const judge = async (caller: Caller): Promise<Standing> => {
    try {
      return await standingOf(caller);
    } catch (err) {
      log.warn({ err }, 'a stream is ended: its credential cannot be checked');
      return 'ended';
    }
  };
  const checkNow = async (owner?: string) => {
    const due = [...watched].filter(({ caller }) => owner === undefined || caller.id === owner);
    // Many streams of one credential are one question.
    const judged = new Map<string, Promise<Standing>>();
    const standings = due.map(({ caller }) => {
      const name = `${caller.credential ?? ''} ${caller.expiresAt ?? ''}`;
      const standing = judged.get(name) ?? judge(caller);
      judged.set(name, standing);
      return standing;
    });
    for (const [at, standing] of (await Promise.all(standings)).entries()) {
      const one = due[at];
      // It may have ended while its credential was checked.
      if (!one || (standing !== 'revoked' && standing !== one.when) || !watched.delete(one)) continue;
      one.end();
    }
  };
  const timer = setInterval(() => void checkNow(), intervalMs).unref();

  return {
    watchCaller(caller, when, end) {
      const one = { caller, when, end };
      watched.add(one);
      return () => void watched.delete(one);
    },
    checkNow,
    close() {
      clearInterval(timer);
      watched.clear();
    },
  };
}

/** A stream that can be ended from here as if its reader had gone: its source learns of it, and the client sees its end. */
export interface Endable {
  readonly response: Response;
  readonly end: () => void;
  /** Resolves once it has ended, by whichever side. */
  readonly ended: Promise<void>;
}

/** The answer, with its status and headers, as one that can be ended. */
export function endable(answer: Response): Endable {
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
