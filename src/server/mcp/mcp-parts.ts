import type { McpServer, Server } from '@modelcontextprotocol/server';
import type { Work } from '../../access/types.ts';
import type { Caller } from '../../caller.ts';
import type { Subscriptions } from './resources/subscriptions.ts';

/** A request as the HTTP layer tracks it until its response has ended. */
export interface Exchange {
  /** Registers a function called when the response and its stream have ended; `finished` is true if all of it was sent. */
  onClose(done: (finished: boolean) => void): void;
  countWork(work: Work): void;
}

/** Creates the MCP server for a session of a caller (2025), or for one request. */
export type ServerMaker = (
  caller: Caller,
  lasts: 'session' | 'request',
  subscriptions?: Subscriptions,
) => Server | McpServer;
