import type { EventStore, JSONRPCMessage } from '@modelcontextprotocol/server';

const MAX_EVENTS = 500;
const MAX_EVENT_BYTES = 8_000_000;

interface StoredEvent {
  readonly id: string;
  readonly streamId: string;
  readonly message: JSONRPCMessage;
  readonly bytes: number;
}

/**
 * The messages of one session's streams, so that a client whose connection broke can resume. Bounded by count and
 * bytes: the oldest are dropped, and a client that asks for one of them gets an error. `nameOf` makes the id of an event.
 */
export function createEventStore(nameOf: (number: number, streamId: string) => string = String): EventStore {
  const events: StoredEvent[] = [];
  let number = 0;
  let bytes = 0;
  const find = (id: string) => events.findIndex((event) => event.id === id);
  return {
    async storeEvent(streamId, message) {
      const size = JSON.stringify(message).length;
      const id = nameOf(++number, streamId);
      events.push({ id, streamId, message, bytes: size });
      bytes += size;
      while (events.length > MAX_EVENTS || (bytes > MAX_EVENT_BYTES && events.length > 1))
        bytes -= events.shift()?.bytes ?? 0;
      return id;
    },
    async getStreamIdForEventId(id) {
      return events[find(id)]?.streamId;
    },
    async replayEventsAfter(lastId, { send }) {
      const last = find(lastId);
      const streamId = events[last]?.streamId;
      if (streamId === undefined) throw new Error('the event is no longer kept');
      for (const event of events.slice(last + 1)) {
        if (event.streamId === streamId && Object.keys(event.message).length > 0) {
          await send(event.id, event.message);
        }
      }
      return streamId;
    },
  };
}
