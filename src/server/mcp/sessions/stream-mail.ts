export interface StreamRequest {
  readonly follow: string;
  /** Number of the last event that the client has received. The client needs the events after it. */
  readonly after: number;
  readonly from: string;
  /** True for a repeated request. It only says that the requesting node still reads the stream. */
  readonly renews: boolean;
}

export interface StreamAnswer {
  readonly streamed: string;
  /** True if the sending node still has all events after the number `after` of the request. */
  readonly known: boolean;
  /** Number of the stream's last event, if the stream has ended. */
  readonly last?: number;
}

export function isStreamRequest(message: unknown): message is StreamRequest {
  return typeof (message as StreamRequest | null)?.follow === 'string';
}

export function isStreamAnswer(message: unknown): message is StreamAnswer {
  return typeof (message as StreamAnswer | null)?.streamed === 'string';
}
