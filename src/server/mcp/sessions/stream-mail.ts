export interface StreamRequest {
  readonly follow: string;
  /** Number of the last event that the client has. */
  readonly after: number;
  readonly from: string;
  /** True for a repeated request, which only says that the node still reads. */
  readonly renews: boolean;
}

export interface StreamAnswer {
  readonly streamed: string;
  /** False if the node does not have all events after that number. */
  readonly known: boolean;
  /** Number of the last event, if the stream has ended. */
  readonly last?: number;
}

export function isStreamRequest(message: unknown): message is StreamRequest {
  return typeof (message as StreamRequest | null)?.follow === 'string';
}

export function isStreamAnswer(message: unknown): message is StreamAnswer {
  return typeof (message as StreamAnswer | null)?.streamed === 'string';
}
