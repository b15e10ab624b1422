import type { McpServer, Server } from '@modelcontextprotocol/server';
import type { Work } from '../../access/types.ts';
import type { Caller } from '../../caller.ts';
import type { Subscriptions } from './resources/subscriptions.ts';

/** One request and its answer, as the edge sees them. */
export interface Exchange {
  /** Takes the function to call once it has ended, its stream included: `finished` where all of it went out. */
  onClose(done: (finished: boolean) => void): void;
  /** Counts what the request holds beyond itself towards the caller's limits. AppError `rate_limited`. */
  countWork(work: Work): void;
}

/** Makes the server that answers a session of a caller (2025), or one request. */
export type ServerMaker = (
  caller: Caller,
  lasts: 'session' | 'request',
  subscriptions?: Subscriptions,
) => Server | McpServer;
