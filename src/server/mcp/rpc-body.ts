import { AppError } from '../../errors.ts';
import { readJsonBody } from '../http/json-request.ts';
import { repairMessages } from './lenient-message.ts';
import type { HttpExchange } from './mcp-parts.ts';
import { rpcErrorResponse } from './rpc-error.ts';

/** Messages of a batch that count towards the limits. The SDK refuses larger batches. */
const MAX_BATCH_COUNTED = 100;

export async function readRpcBody(request: Request, exchange: HttpExchange): Promise<unknown> {
  if (request.method !== 'POST') return undefined;
  try {
    const body = await readJsonBody(request, exchange);
    if (Array.isArray(body)) exchange.countWork({ requests: Math.min(body.length, MAX_BATCH_COUNTED) - 1 });
    repairMessages(body);
    return body;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'bad_request') throw error;
    return rpcErrorResponse(400, -32700, `${error.message}: send one JSON-RPC message`);
  }
}
