import type { SessionStore } from '../../../access/types.ts';
import type { EventPlace } from './event-id.ts';
import type { Sessions } from './sessions.ts';
import { isStreamAnswer, isStreamRequest, type StreamRequest } from './stream-mail.ts';
import { createStreamReader, type StreamReader } from './stream-reader.ts';
import { createStreamSender, type StreamSender } from './stream-sender.ts';

/** Streams of sessions that are served by all nodes: those of this node, and those that clients read here. */
export interface SharedStreams {
  readonly sender: StreamSender;
  /** Takes what another node says about a stream of a session. */
  hear(session: string, message: unknown): void;
  /** Reads a stream of another node from an event on; who reads it here already is ended. */
  readStream(session: string, owner: string, place: EventPlace): StreamReader;
  /**
   * Makes room for a stream's next connection where it is a stream of this node and its event is still kept: the client comes
   * again because its connection broke, which this node may not know yet.
   */
  reopen(session: string, place: EventPlace, event: string): Promise<boolean>;
  /** Writes the events that other nodes wait for. */
  close(): Promise<void>;
}

export interface SharedStreamsOptions {
  readonly node: string;
  readonly store: SessionStore;
  readonly sessions: Sessions;
  /** Messages of a session that wait for a node. */
  readonly mostMail: number;
  readonly onerror: (error: Error) => void;
}

export function createSharedStreams(options: SharedStreamsOptions): SharedStreams {
  const { node, store, sessions, mostMail, onerror } = options;
  const sender = createStreamSender({ node, store, onerror });
  const readers = new Map<string, StreamReader>();

  const send = (session: string, to: string, message: object) =>
    store.sendMail({ session, message: JSON.stringify(message) }, to, mostMail);

  /** Ends the connection of a stream at this node. */
  function closeStream(session: string, name: string): void {
    const stream = sender.findLog(session)?.findStream(name);
    const transport = sessions.findSession(session)?.transport;
    if (stream && !stream.answers) transport?.closeStandaloneSSEStream();
    const [request] = stream?.open ?? [];
    if (request !== undefined) transport?.closeSSEStream(request);
  }

  /** The client reads the stream at another node from here on. */
  function handOver(session: string, request: StreamRequest): void {
    const answer = sender.handOver(session, request);
    // Being read elsewhere is a use.
    if (answer.known) sessions.findSession(session)?.enter()();
    if (answer.known && !request.renews) closeStream(session, request.follow);
    void send(session, request.from, answer).catch(onerror);
  }

  return {
    sender,
    hear(session, message) {
      if (isStreamRequest(message)) handOver(session, message);
      else if (isStreamAnswer(message)) readers.get(`${session} ${message.streamed}`)?.hear(message);
    },
    readStream(session, owner, place) {
      const name = `${session} ${place.stream}`;
      readers.get(name)?.end();
      const reader: StreamReader = createStreamReader({
        ...{ place, store, onerror },
        of: { session, owner, stream: place.stream },
        ask: (request) => send(session, place.node, { ...request, from: node } satisfies StreamRequest),
        isOpen: () => sessions.findSession(session) !== undefined,
        onend() {
          if (readers.get(name) === reader) readers.delete(name);
        },
      });
      readers.set(name, reader);
      return reader;
    },
    async reopen(session, place, event) {
      const log = sender.findLog(session);
      if (place.node !== node || !(await log?.getStreamIdForEventId?.(event))) return false;
      closeStream(session, place.stream);
      if (place.standalone) sender.back(session);
      return true;
    },
    async close() {
      for (const reader of readers.values()) reader.end();
      await sender.close();
    },
  };
}
