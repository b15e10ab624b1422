import { AppError } from '../../errors.ts';
import { readJsonBody } from '../http/json-request.ts';
import type { Exchange } from './mcp-parts.ts';
import { rpcError } from './rpc-error.ts';

/** Messages of a batch that are counted; one that has more is refused by the SDK. */
const MAX_BATCH_COUNTED = 100;

/** The body of a POST as JSON, read once for both eras; the refusal when it is not JSON, or not within its bounds. */
export async function readRpcBody(request: Request, { countWork }: Exchange): Promise<unknown> {
  if (request.method !== 'POST') return undefined;
  try {
    const body = await readJsonBody(request, countWork);
    if (Array.isArray(body)) countWork({ requests: Math.min(body.length, MAX_BATCH_COUNTED) - 1 });
    return body;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'bad_request') throw error;
    return rpcError(400, -32700, `${error.message}: send one JSON-RPC message`);
  }
}
