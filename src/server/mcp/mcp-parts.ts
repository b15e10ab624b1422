import type { McpServer, Server } from '@modelcontextprotocol/server';
import type { ExtraRequestCost } from '../../access/types.ts';
import type { Caller } from '../../caller.ts';
import type { ResourceSubscriptions } from './resources/subscriptions.ts';

/** A request that the HTTP layer tracks until its response has ended. */
export interface HttpExchange {
  /** Calls a function when the response and its stream have ended. `finished` is true if the whole response was sent. */
  onClose(done: (finished: boolean) => void): void;
  countWork(work: ExtraRequestCost): void;
}

/** Creates the MCP server for a caller's session (protocol 2025) or for a single request. */
export type McpServerFactory = (
  caller: Caller,
  lasts: 'session' | 'request',
  subscriptions?: ResourceSubscriptions,
) => Server | McpServer;
