import type { EventStore, JSONRPCMessage } from '@modelcontextprotocol/server';
import { buildEventIdSuffix, type RpcRequestId } from './event-id.ts';

const MAX_EVENTS = 500;
const MAX_EVENT_BYTES = 8_000_000;
const MAX_SILENT_STREAMS = 1000;

export interface SessionStream {
  readonly name: string;
  readonly open: Set<RpcRequestId>;
  readonly answers: boolean;
  last: number;
  kept: number;
  /** Number of the event after which the client resumed the stream at this node. */
  resumedAfter?: number;
}

export interface StreamEvent {
  readonly id: string;
  readonly stream: SessionStream;
  readonly number: number;
  readonly message: string;
  readonly ends: boolean;
}

export interface StreamEventLog extends EventStore {
  findStream(name: string): SessionStream | undefined;
  listAfter(stream: SessionStream, number: number): StreamEvent[];
}

export interface EventLogOptions {
  readonly begin?: (streamId: string) => {
    readonly name: string;
    readonly requests: readonly RpcRequestId[];
  };
  readonly kept?: (event: StreamEvent) => void;
}

export function createStreamEventLog({ begin = unshared(), kept }: EventLogOptions = {}): StreamEventLog {
  const events: StreamEvent[] = [];
  const streams = new Map<string, { readonly stream: SessionStream; readonly suffix: string }>();
  let bytes = 0;
  const find = (id: string) => events.findIndex((event) => event.id === id);
  const sdkNames = new Map<SessionStream, string>();

  function streamOf(streamId: string) {
    const known = streams.get(streamId);
    if (known) return known;
    const { name, requests } = begin(streamId);
    const stream: SessionStream = {
      name,
      open: new Set(requests),
      answers: requests.length > 0,
      last: 0,
      kept: 0,
    };
    const made = { stream, suffix: buildEventIdSuffix(requests) };
    streams.set(streamId, made);
    sdkNames.set(stream, streamId);
    return made;
  }

  function dropOldest(): void {
    const event = events.shift();
    if (!event) return;
    const { stream } = event;
    bytes -= event.message.length;
    stream.kept--;
    if (stream.kept > 0 || (stream.open.size > 0 && streams.size < MAX_SILENT_STREAMS)) return;
    streams.delete(sdkNames.get(stream) ?? '');
    sdkNames.delete(stream);
  }

  return {
    async storeEvent(streamId, message) {
      const { stream, suffix } = streamOf(streamId);
      const number = ++stream.last;
      const id = `${stream.name}.${number}${suffix}`;
      const answered =
        'id' in message && !('method' in message) && stream.open.delete(message.id as RpcRequestId);
      const event = {
        ...{ id, stream, number },
        message: JSON.stringify(message),
        ends: answered && stream.open.size === 0,
      };
      events.push(event);
      stream.kept++;
      bytes += event.message.length;
      while (events.length > MAX_EVENTS || (bytes > MAX_EVENT_BYTES && events.length > 1)) dropOldest();
      kept?.(event);
      return id;
    },
    // The SDK refuses to resume a stream whose connection it holds, which may have broken without a sign. It
    // holds none by the event's id, and replaces the stream that `replayEventsAfter` returns.
    getStreamIdForEventId: async (id) => (find(id) < 0 ? undefined : id),
    async replayEventsAfter(lastId, { send }) {
      const last = find(lastId);
      const stream = events[last]?.stream;
      const streamId = stream && sdkNames.get(stream);
      if (stream === undefined || streamId === undefined) throw new Error('the event is no longer kept');
      for (const event of events.slice(last + 1)) {
        if (event.stream === stream && saysSomething(event)) {
          await send(event.id, JSON.parse(event.message) as JSONRPCMessage);
        }
      }
      return streamId;
    },
    findStream(name) {
      for (const { stream } of streams.values()) if (stream.name === name) return stream;
      return undefined;
    },
    listAfter: (stream, number) =>
      events.filter((event) => event.stream === stream && event.number > number && saysSomething(event)),
  };
}

function saysSomething({ message }: StreamEvent): boolean {
  return message !== '{}';
}

function unshared(): NonNullable<EventLogOptions['begin']> {
  let streams = 0;
  return () => ({ name: String(++streams), requests: [] });
}
