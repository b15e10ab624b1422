import type { McpServer, Server } from '@modelcontextprotocol/server';
import type { ExtraRequestCost } from '../../access/types.ts';
import type { Caller } from '../../caller.ts';
import type { ResourceSubscriptions } from './resources/subscriptions.ts';

export interface HttpExchange {
  /** Calls a function when the response and its stream have ended. `finished` is true if the whole response was sent. */
  onClose(done: (finished: boolean) => void): void;
  countWork(work: ExtraRequestCost): void;
  /** Waits for the turn of the sender of a long body. Returns the function that ends the turn. */
  takeTurn(): Promise<() => void>;
  /** Delays the answer to a refused long body. */
  paceRefusal(): Promise<void>;
}

export type McpServerFactory = (
  caller: Caller,
  lasts: 'session' | 'request',
  subscriptions?: ResourceSubscriptions,
) => Server | McpServer;
