import type { Caller, Standing } from '../caller.ts';
import type { Logger } from '../log.ts';

/** Ends what outlasts a request once the credential that opened it is good no more. */
export interface CredentialWatch {
  /**
   * `end` is called when the caller's credential is revoked, and with `over` also when it is over by its time. Gives
   * the function that has it watched no more.
   */
  add(caller: Caller, when: 'over' | 'revoked', end: () => void): () => void;
  /** Looks at once, at what one owner has open or at all. */
  look(owner?: string): void;
  close(): void;
}

export interface CredentialWatchOptions {
  readonly standing: (caller: Caller) => Standing;
  readonly log: Logger;
  /** Milliseconds between two looks at all. */
  readonly every?: number;
}

interface Watched {
  readonly caller: Caller;
  readonly when: 'over' | 'revoked';
  readonly end: () => void;
}

/** As many as there are sessions and streams, which others bound. */
export function createCredentialWatch({
  standing,
  log,
  every = 2000,
}: CredentialWatchOptions): CredentialWatch {
  const watched = new Set<Watched>();

  /** Who cannot be judged is told nothing more: a client comes again, and hears why. */
  const judge = (caller: Caller): Standing => {
    try {
      return standing(caller);
    } catch (err) {
      log.warn({ err }, 'a stream is ended: whether its credential is good cannot be told');
      return 'over';
    }
  };
  const look = (owner?: string) => {
    // Many streams of one credential are one question.
    const judged = new Map<string, Standing>();
    for (const one of [...watched]) {
      const { caller, when, end } = one;
      if (owner !== undefined && caller.id !== owner) continue;
      const name = `${caller.credential ?? ''} ${caller.until ?? ''}`;
      const found = judged.get(name) ?? judge(caller);
      judged.set(name, found);
      if (found !== 'revoked' && found !== when) continue;
      watched.delete(one);
      end();
    }
  };
  const timer = setInterval(look, every).unref();

  return {
    add(caller, when, end) {
      const one = { caller, when, end };
      watched.add(one);
      return () => void watched.delete(one);
    },
    look,
    close() {
      clearInterval(timer);
      watched.clear();
    },
  };
}

/** A stream that can be ended from here as if its reader had gone: its source is told, and the client sees its end. */
export interface Endable {
  readonly response: Response;
  readonly end: () => void;
  /** Resolves once it is over, by whichever side. */
  readonly over: Promise<void>;
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
    over: reader.closed.catch(() => {}),
  };
}
