/** One server-sent event of an MCP stream. */
export interface StreamedEvent {
  readonly id: string | undefined;
  readonly message: {
    readonly id?: string | number;
    readonly method?: string;
    readonly params?: { readonly message?: string; readonly uri?: string };
    readonly result?: { readonly structuredContent?: unknown };
    readonly error?: { readonly code: number; readonly message: string };
  };
}

/** Reads a stream event by event. */
export interface EventReader {
  /** The next one that has a message; undefined at the end. */
  next(): Promise<StreamedEvent | undefined>;
  /** All until the end. */
  rest(): Promise<StreamedEvent[]>;
  /** The id of the last event, one without a message included. */
  lastId(): string;
  /** Breaks the connection. */
  cut(): Promise<void>;
}

export function readEvents(response: Response): EventReader {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  let lastId = '';

  function take(): StreamedEvent | undefined {
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const block = text.slice(0, end);
      text = text.slice(end + 2);
      const id = /^id: (.*)$/m.exec(block)?.[1];
      const data = /^data: (.+)$/m.exec(block)?.[1];
      lastId = id ?? lastId;
      if (data !== undefined && data.trim() !== '') return { id, message: JSON.parse(data) };
    }
    return undefined;
  }

  async function next(): Promise<StreamedEvent | undefined> {
    for (;;) {
      const event = take();
      if (event) return event;
      const { value, done } = (await reader?.read()) ?? { value: undefined, done: true };
      if (done) return undefined;
      text += value;
    }
  }

  return {
    next,
    async rest() {
      const events: StreamedEvent[] = [];
      for (let event = await next(); event; event = await next()) events.push(event);
      return events;
    },
    lastId: () => lastId,
    cut: async () => void (await reader?.cancel().catch(() => {})),
  };
}
