import type { McpSessionEvent, McpSessionStore, SessionStreamId } from '../../../access/types.ts';
import { buildEventIdSuffix, type EventPosition, type RpcRequestId } from './event-id.ts';
import type { StreamAnswer, StreamRequest } from './stream-mail.ts';
import { STREAM_LEASE_MS } from './stream-sender.ts';

const PAGE = 50;
/** Milliseconds after which events are read even without a notification, because one may get lost. */
const LOOK_MS = 2000;
/** Milliseconds between checks of a node. After `GONE_LOOKS` failed checks, the node counts as ended. */
const GONE_LOOK_MS = 1000;
const GONE_LOOKS = 4;
/** Maximum age of a node's last check-in in milliseconds. Nodes check in every 2 s. */
const GONE_MS = 6000;
/** Milliseconds to wait for a node's response. `ASKS` is the maximum number of requests to the node. */
const ANSWER_MS = 3000;
const ASKS = 5;
const MAX_FAILURES = 15;
const KEEP_ALIVE_MS = 15_000;
/** Number of the event that reports a lost response. The stream ends with this event. */
export const LOST_ANSWER_NUMBER = 0;
const GONE =
  'the server that ran this call has ended, and the answer is lost with it: check what the call has changed, then send it again';

export type RemoteStreamReader = ReturnType<typeof createRemoteStreamReader>;

export interface RemoteStreamReaderOptions {
  readonly place: EventPosition;
  readonly of: SessionStreamId;
  readonly store: Pick<McpSessionStore, 'listEvents' | 'onEvents' | 'isThere'>;
  readonly ask: (request: Omit<StreamRequest, 'from'>) => Promise<unknown>;
  readonly isOpen: () => boolean;
  readonly onerror: (error: Error) => void;
  readonly onend: () => void;
}

export function createRemoteStreamReader(options: RemoteStreamReaderOptions) {
  const { place, store, isOpen, onerror } = options;
  const closing = new AbortController();
  const bell = createBell();
  const source = createSource(options);
  const follower = createFollower(options, source);

  async function* read(): AsyncGenerator<string> {
    let failures = 0;
    let silentSince = Date.now();
    while (!closing.signal.aborted && isOpen()) {
      const rung = bell.listen();
      const look = await follower.look().catch((error: Error) => {
        onerror(error);
        return FAILED;
      });
      failures = look === FAILED ? failures + 1 : 0;
      for (const text of look.texts) yield text;
      if (look.found === 'end' || failures > MAX_FAILURES) return;
      if (look.texts.length > 0) silentSince = Date.now();
      else await rung(source.lookAgainMs());
      if (Date.now() - silentSince > KEEP_ALIVE_MS) {
        silentSince = Date.now();
        yield ': keepalive\n\n';
      }
    }
  }

  const heard = store.onEvents(options.of.session, bell.ring);
  heard.catch(onerror);
  const end = () => {
    if (closing.signal.aborted) return;
    closing.abort();
    source.giveUp();
    bell.ring();
    void heard.then((stop) => stop()).catch(onerror);
    options.onend();
  };
  return {
    known: source.known,
    body: streamOf(read(), end),
    hear(answer: StreamAnswer) {
      if (answer.streamed !== place.stream) return;
      source.hear(answer);
      bell.ring();
    },
    end,
  };
}

interface Look {
  readonly texts: readonly string[];
  readonly found: 'more' | 'end';
}

const FAILED: Look = { texts: [], found: 'more' };

function createFollower(
  { place, of, store }: RemoteStreamReaderOptions,
  source: ReturnType<typeof createSource>,
) {
  const open = new Set<RpcRequestId>(place.requests);
  const suffix = buildEventIdSuffix(place.requests);
  let after = place.number;

  function textOf(event: McpSessionEvent): string {
    after = event.number;
    const answered = readAnswer(event);
    if (answered !== undefined) open.delete(answered);
    return `event: message\nid: ${place.stream}.${after}${suffix}\ndata: ${event.message}\n\n`;
  }

  function lost(): string[] {
    if (place.standalone) return [];
    const id = `id: ${place.stream}.${LOST_ANSWER_NUMBER}\n`;
    if (open.size === 0) return [`${id}data: \n\n`];
    return Array.from(open, (request) => {
      const message = { jsonrpc: '2.0', id: request, error: { code: -32000, message: GONE } };
      return `event: message\n${id}data: ${JSON.stringify(message)}\n\n`;
    });
  }

  return {
    async look(): Promise<Look> {
      // Checks first whether the node has ended, so that the read includes all events that the node has written.
      const over = await source.isOver();
      const events = await store.listEvents(of, after, PAGE);
      const texts: string[] = [];
      for (const event of events) {
        if (event.number !== after + 1) return { texts: [...texts, ...lost()], found: 'end' };
        texts.push(textOf(event));
        if (event.ends) return { texts, found: 'end' };
      }
      if (events.length > 0) return { texts, found: 'more' };
      if (source.hasEndedAt(after)) return { texts, found: 'end' };
      if (over) return { texts: lost(), found: 'end' };
      await source.ask(after);
      return { texts, found: 'more' };
    },
  };
}

function createSource({ place, store, ask }: RemoteStreamReaderOptions) {
  const known = Promise.withResolvers<boolean>();
  let answer: StreamAnswer | undefined;
  let [asks, askedAt] = [0, 0];
  let [absences, lookedAt] = [0, 0];
  return {
    known: known.promise,
    hear(heard: StreamAnswer): void {
      answer = answer?.known === false ? answer : heard;
      known.resolve(answer.known);
    },
    async ask(after: number): Promise<void> {
      if (Date.now() - askedAt < (answer ? STREAM_LEASE_MS / 3 : ANSWER_MS)) return;
      if (!answer && asks > 0) known.resolve(false);
      askedAt = Date.now();
      asks++;
      await ask({ follow: place.stream, after, renews: answer !== undefined });
    },
    hasEndedAt: (number: number): boolean => answer?.last !== undefined && number >= answer.last,
    async isOver(): Promise<boolean> {
      if (Date.now() - lookedAt >= GONE_LOOK_MS) {
        lookedAt = Date.now();
        absences = (await store.isThere(place.node, GONE_MS)) ? 0 : absences + 1;
      }
      return absences >= GONE_LOOKS || answer?.known === false || (!answer && asks > ASKS);
    },
    lookAgainMs: (): number => (absences > 0 ? GONE_LOOK_MS : LOOK_MS),
    giveUp: (): void => known.resolve(false),
  };
}

function createBell() {
  let ring = () => {};
  return {
    ring: () => ring(),
    listen(): (ms: number) => Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>();
      ring = resolve;
      return async (ms) => {
        const timer = setTimeout(resolve, ms);
        await promise;
        clearTimeout(timer);
      };
    },
  };
}

function readAnswer({ message }: McpSessionEvent): RpcRequestId | undefined {
  const { id, method } = JSON.parse(message) as { readonly id?: RpcRequestId; readonly method?: unknown };
  return method === undefined ? id : undefined;
}

function streamOf(texts: AsyncGenerator<string>, end: () => void): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { value, done } = await texts.next();
      if (!done) return controller.enqueue(encoder.encode(value));
      end();
      controller.close();
    },
    cancel: end,
  });
}
