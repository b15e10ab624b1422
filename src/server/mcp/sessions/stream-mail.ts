/** One node asks another for the events of a stream. */
export interface StreamRequest {
  /** The stream's name. */
  readonly follow: string;
  /** The place of the last event that the client has. */
  readonly after: number;
  /** The node that asks. */
  readonly from: string;
  /** Whether it has asked before and only says that it still reads. */
  readonly renews: boolean;
}

/** What the stream's node answers. */
export interface StreamAnswer {
  /** The stream's name. */
  readonly streamed: string;
  /** False where it has not all events behind that place. */
  readonly known: boolean;
  /** The place of the last event, where it has ended. */
  readonly last?: number;
}

export function isStreamRequest(message: unknown): message is StreamRequest {
  return typeof (message as StreamRequest | null)?.follow === 'string';
}

export function isStreamAnswer(message: unknown): message is StreamAnswer {
  return typeof (message as StreamAnswer | null)?.streamed === 'string';
}
