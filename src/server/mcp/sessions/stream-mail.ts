export interface StreamRequest {
  readonly follow: string;
  readonly after: number;
  readonly from: string;
  readonly renews: boolean;
}

export interface StreamAnswer {
  readonly streamed: string;
  readonly known: boolean;
  readonly last?: number;
}

export function isStreamRequest(message: unknown): message is StreamRequest {
  return typeof (message as StreamRequest | null)?.follow === 'string';
}

export function isStreamAnswer(message: unknown): message is StreamAnswer {
  return typeof (message as StreamAnswer | null)?.streamed === 'string';
}
