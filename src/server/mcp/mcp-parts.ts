import type { McpServer, Server } from '@modelcontextprotocol/server';
import type { ExtraRequestCost } from '../../access/types.ts';
import type { Caller } from '../../caller.ts';
import type { ResourceSubscriptions } from './resources/subscriptions.ts';

/** A request as the HTTP layer tracks it until its response has ended. */
export interface HttpExchange {
  /** Registers a function called when the response and its stream have ended; `finished` is true if all of it was sent. */
  onClose(done: (finished: boolean) => void): void;
  countWork(work: ExtraRequestCost): void;
}

/** Creates the MCP server for a session of a caller (2025), or for one request. */
export type McpServerFactory = (
  caller: Caller,
  lasts: 'session' | 'request',
  subscriptions?: ResourceSubscriptions,
) => Server | McpServer;
