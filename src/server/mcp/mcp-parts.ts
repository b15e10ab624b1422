import type { McpServer, Server } from '@modelcontextprotocol/server';
import type { ExtraRequestCost } from '../../access/types.ts';
import type { Caller } from '../../caller.ts';
import type { ResourceSubscriptions } from './resources/subscriptions.ts';

export interface HttpExchange {
  onClose(done: (finished: boolean) => void): void;
  readonly incoming: AsyncIterable<Uint8Array>;
  countWork(work: ExtraRequestCost): void;
  takeTurn(): Promise<() => void>;
  paceRefusal(bytes: number): Promise<void>;
}

export type McpServerFactory = (
  caller: Caller,
  lasts: 'session' | 'request',
  subscriptions?: ResourceSubscriptions,
) => Server | McpServer;
