import type { McpServer, Server } from '@modelcontextprotocol/server';
import type { ExtraRequestCost } from '../../access/types.ts';
import type { Caller } from '../../caller.ts';
import type { BodySource } from '../http/json-request.ts';
import type { ResourceSubscriptions } from './resources/subscriptions.ts';

export interface HttpExchange extends Omit<BodySource, 'countWork'> {
  onClose(done: (finished: boolean) => void): void;
  countWork(work: ExtraRequestCost): void;
}

export type McpServerFactory = (
  caller: Caller,
  lasts: 'session' | 'request',
  subscriptions?: ResourceSubscriptions,
) => Server | McpServer;
