/** Position of an event in a stream of an MCP session. The event's id encodes it, so that any node can read it. */
export interface EventPosition {
  readonly node: string;
  /** Name of the stream, which begins with the name of the node that sends it. */
  readonly stream: string;
  readonly standalone: boolean;
  /** Number of the event in its stream, from 1. */
  readonly number: number;
  readonly requests: readonly RequestId[];
}

export type RequestId = string | number;

const ID = /^(([0-9a-f]{8})([gp])\d{1,12})\.(\d{1,12})(?:\.([\w-]{1,2000}))?$/;
/** Maximum bytes of request ids in an event id. Longer lists are left out; then only the sending node can resume the stream. */
const MAX_REQUEST_BYTES = 1500;

/** Returns the suffix that all event ids of a stream have: the encoded ids of the requests that the stream answers. */
export function buildEventIdSuffix(requests: readonly RequestId[]): string {
  const json = Buffer.from(JSON.stringify(requests));
  return requests.length === 0 || json.length > MAX_REQUEST_BYTES ? '' : `.${json.toString('base64url')}`;
}

/** Parses an event id. Returns undefined for an id that no node has issued, and for an id from an earlier version of Magpie. */
export function parseEventId(id: string): EventPosition | undefined {
  const match = ID.exec(id);
  if (!match) return undefined;
  const [, stream = '', node = '', kind, number, suffix] = match;
  return { node, stream, standalone: kind === 'g', number: Number(number), requests: readRequests(suffix) };
}

/** Reads request ids from the suffix of an event id that a client sent. Returns [] if the suffix does not contain a list. */
function readRequests(suffix: string | undefined): readonly RequestId[] {
  if (suffix === undefined) return [];
  try {
    const list: unknown = JSON.parse(Buffer.from(suffix, 'base64url').toString());
    return Array.isArray(list) ? list.filter((id) => typeof id === 'string' || typeof id === 'number') : [];
  } catch {
    return [];
  }
}
