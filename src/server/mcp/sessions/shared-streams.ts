import type { McpSessionStore } from '../../../access/types.ts';
import type { EventPosition } from './event-id.ts';
import type { McpSessions } from './sessions.ts';
import { isStreamAnswer, isStreamRequest, type StreamRequest } from './stream-mail.ts';
import { createRemoteStreamReader, type RemoteStreamReader } from './stream-reader.ts';
import { createStreamSender } from './stream-sender.ts';

export function createSharedStreams(options: {
  readonly node: string;
  readonly store: McpSessionStore;
  readonly sessions: McpSessions;
  readonly mostMail: number;
  readonly onerror: (error: Error) => void;
}) {
  const { node, store, sessions, mostMail, onerror } = options;
  const sender = createStreamSender({ node, store, onerror });
  const readers = new Map<string, RemoteStreamReader>();

  const send = (session: string, to: string, message: object) =>
    store.sendMail({ session, message: JSON.stringify(message) }, to, mostMail);

  function closeStream(session: string, name: string): void {
    const stream = sender.findLog(session)?.findStream(name);
    const transport = sessions.findSession(session)?.transport;
    if (stream && !stream.answers) transport?.closeStandaloneSSEStream();
    const [request] = stream?.open ?? [];
    if (request !== undefined) transport?.closeSSEStream(request);
  }

  function handOver(session: string, request: StreamRequest): void {
    const answer = sender.handOver(session, request);
    // Closes only an older connection, because the client may have returned to this node in the meantime.
    const { resumedAfter = -1 } = sender.findLog(session)?.findStream(request.follow) ?? {};
    if (answer.known) sessions.findSession(session)?.enter()();
    if (answer.known && !request.renews && request.after >= resumedAfter)
      closeStream(session, request.follow);
    void send(session, request.from, answer).catch(onerror);
  }

  return {
    sender,
    receiveMessage(session: string, message: unknown): void {
      if (isStreamRequest(message)) handOver(session, message);
      else if (isStreamAnswer(message)) readers.get(`${session} ${message.streamed}`)?.hear(message);
    },
    readStream(session: string, owner: string, place: EventPosition): RemoteStreamReader {
      const name = `${session} ${place.stream}`;
      readers.get(name)?.end();
      const reader: RemoteStreamReader = createRemoteStreamReader({
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
    /** Closes a stream's old connection, so that the client can resume. Returns false if the event is unknown. */
    async reopen(session: string, place: EventPosition, event: string): Promise<boolean> {
      const log = sender.findLog(session);
      if (place.node !== node || !(await log?.getStreamIdForEventId?.(event))) return false;
      closeStream(session, place.stream);
      const stream = log?.findStream(place.stream);
      if (stream) stream.resumedAfter = place.number;
      if (place.standalone) sender.clientReturned(session);
      return true;
    },
    async close(): Promise<void> {
      for (const reader of readers.values()) reader.end();
      await sender.close();
    },
  };
}
