import { parseJsonOrNothing } from '../../../lib/text/parse-json-or-nothing.ts';
export interface EventPosition {
  readonly node: string;
  readonly stream: string;
  readonly standalone: boolean;
  readonly number: number;
  readonly requests: readonly RpcRequestId[];
}

export type RpcRequestId = string | number;

const ID = /^(([0-9a-f]{8})([gp])\d{1,12})\.(\d{1,12})(?:\.([\w-]{1,2000}))?$/;
/** Maximum bytes of request ids in an event id. Ids that need more bytes are left out. */
const MAX_REQUEST_BYTES = 1500;

export function buildEventIdSuffix(requests: readonly RpcRequestId[]): string {
  const json = Buffer.from(JSON.stringify(requests));
  return requests.length === 0 || json.length > MAX_REQUEST_BYTES ? '' : `.${json.toString('base64url')}`;
}

export function parseEventId(id: string): EventPosition | undefined {
  const match = ID.exec(id);
  if (!match) return undefined;
  const [, stream = '', node = '', kind, number, suffix] = match;
  return { node, stream, standalone: kind === 'g', number: Number(number), requests: readRequests(suffix) };
}

function readRequests(suffix: string | undefined): readonly RpcRequestId[] {
  if (suffix === undefined) return [];
  const list = parseJsonOrNothing(Buffer.from(suffix, 'base64url').toString());
  return Array.isArray(list) ? list.filter((id) => typeof id === 'string' || typeof id === 'number') : [];
}
