/** Position of an event. The event's id encodes it, so that any node can read it, even if the sending node is gone. */
export interface EventPosition {
  readonly node: string;
  /** Name of the stream; it begins with the name of its node. */
  readonly stream: string;
  readonly standalone: boolean;
  /** Number of the event in its stream, from 1. */
  readonly number: number;
  readonly requests: readonly RequestId[];
}

export type RequestId = string | number;

const ID = /^(([0-9a-f]{8})([gp])\d{1,12})\.(\d{1,12})(?:\.([\w-]{1,2000}))?$/;
/** Maximum size in bytes of the request ids in an event id. With longer ones, only the stream's own node can resume it. */
const MAX_REQUEST_BYTES = 1500;

/** Suffix of all event ids of a stream; it encodes the ids of the requests. */
export function buildEventIdSuffix(requests: readonly RequestId[]): string {
  const json = Buffer.from(JSON.stringify(requests));
  return requests.length === 0 || json.length > MAX_REQUEST_BYTES ? '' : `.${json.toString('base64url')}`;
}

/** Undefined for ids that no node issued, and for those of earlier versions. */
export function parseEventId(id: string): EventPosition | undefined {
  const match = ID.exec(id);
  if (!match) return undefined;
  const [, stream = '', node = '', kind, number, suffix] = match;
  return { node, stream, standalone: kind === 'g', number: Number(number), requests: readRequests(suffix) };
}

/** Clients send the suffix back, so anything but a list of ids counts as none. */
function readRequests(suffix: string | undefined): readonly RequestId[] {
  if (suffix === undefined) return [];
  try {
    const list: unknown = JSON.parse(Buffer.from(suffix, 'base64url').toString());
    return Array.isArray(list) ? list.filter((id) => typeof id === 'string' || typeof id === 'number') : [];
  } catch {
    return [];
  }
}
