import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import type { RpcRequestId } from './sessions/event-id.ts';

const REVISIONS = ['2024-10-07', '2024-11-05', '2025-03-26'];
const MAX_BATCH_MESSAGES = 100;

export function explainBatchRefusal(
  messages: readonly unknown[],
  revision: string | undefined,
): string | undefined {
  if (revision === undefined)
    return 'no protocol revision that has batches is agreed on: send one message at a time';
  if (!REVISIONS.includes(revision)) {
    return `the protocol revision of this connection, ${revision}, has no batches: send one message at a time`;
  }
  if (messages.length === 0) return 'the batch is empty: send at least one message';
  if (messages.length > MAX_BATCH_MESSAGES) {
    return `the batch has ${messages.length} messages: it takes at most ${MAX_BATCH_MESSAGES}`;
  }
  return undefined;
}

interface AnswerBatch {
  readonly answers: object[];
  readonly waiting: Set<unknown>;
}

export function createBatchCollector(send: (answers: readonly object[]) => void) {
  const batches = new Map<unknown, AnswerBatch>();
  const settle = (id: unknown, batch: AnswerBatch) => {
    batches.delete(id);
    batch.waiting.delete(id);
    if (batch.waiting.size === 0 && batch.answers.length > 0) send(batch.answers);
  };
  return {
    begin(ids: readonly RpcRequestId[], answers: readonly object[]): void {
      const batch: AnswerBatch = { answers: [...answers], waiting: new Set(ids) };
      for (const id of batch.waiting) batches.set(id, batch);
      if (batch.waiting.size === 0 && answers.length > 0) send(answers);
    },
    take(message: JSONRPCMessage): boolean {
      if ('method' in message) return false;
      const batch = batches.get(message.id);
      if (!batch) return false;
      batch.answers.push(message);
      settle(message.id, batch);
      return true;
    },
    drop(id: unknown): void {
      const batch = batches.get(id);
      if (batch) settle(id, batch);
    },
  };
}

export interface RpcErrorMessage {
  readonly jsonrpc: '2.0';
  readonly id: RpcRequestId;
  readonly error: { readonly code: number; readonly message: string };
}

export function rpcErrorMessage(code: number, message: string, id: RpcRequestId | null = null) {
  return { jsonrpc: '2.0' as const, id: id as RpcRequestId, error: { code, message } };
}
