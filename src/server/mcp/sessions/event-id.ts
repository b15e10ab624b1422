/** Where an event stands: any node can read it from the event's id, also when the node that sent it is gone. */
export interface EventPlace {
  readonly node: string;
  /** The stream's name, which begins with that of its node. */
  readonly stream: string;
  /** Whether it is the one that belongs to no request. */
  readonly standalone: boolean;
  /** Its place in the stream, from 1 on. */
  readonly number: number;
  /** Ids of the requests that the stream answers. */
  readonly requests: readonly RequestId[];
}

export type RequestId = string | number;

const ID = /^(([0-9a-f]{8})([gp])\d{1,12})\.(\d{1,12})(?:\.([\w-]{1,2000}))?$/;
/** Bytes of the requests' ids that an event's id holds; a client with longer ones is refused by the node that does not know them. */
const MAX_REQUEST_BYTES = 1500;

/** What the ids of a stream's events end with, the same for all. */
export function suffixOf(requests: readonly RequestId[]): string {
  const json = Buffer.from(JSON.stringify(requests));
  return requests.length === 0 || json.length > MAX_REQUEST_BYTES ? '' : `.${json.toString('base64url')}`;
}

/** Undefined for what no node has named, and for names of earlier versions. */
export function readEventId(id: string): EventPlace | undefined {
  const match = ID.exec(id);
  if (!match) return undefined;
  const [, stream = '', node = '', kind, number, suffix] = match;
  return { node, stream, standalone: kind === 'g', number: Number(number), requests: readRequests(suffix) };
}

/** The client sends it back: what is not a list of ids counts as none. */
function readRequests(suffix: string | undefined): readonly RequestId[] {
  if (suffix === undefined) return [];
  try {
    const list: unknown = JSON.parse(Buffer.from(suffix, 'base64url').toString());
    return Array.isArray(list) ? list.filter((id) => typeof id === 'string' || typeof id === 'number') : [];
  } catch {
    return [];
  }
}
