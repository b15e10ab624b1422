import { ProtocolError, ProtocolErrorCode, type Server } from '@modelcontextprotocol/server';
import type { Caller } from '../../../caller.ts';
import type { ChangeNotifications } from './change-notifications.ts';

export interface McpConnection {
  readonly notifications: ChangeNotifications;
  readonly era: 'legacy' | 'modern';
  readonly subscriptions?: ResourceSubscriptions | undefined;
}

export interface ResourceSubscriptions {
  /** True if other connections of the session may change the subscriptions too. */
  readonly shared: boolean;
  add(uri: string): Promise<boolean>;
  remove(uri: string): Promise<void>;
  filterSubscribed(uris: readonly string[]): Promise<readonly string[]>;
  list(): Promise<readonly string[]>;
}

export const MAX_SUBSCRIPTIONS = 1000;

/** Notifies a client of changes. Clients of MCP before 2026-07-28 subscribe to each address separately. */
export function notifyOfChanges(
  server: Server,
  caller: Caller,
  { notifications, era, subscriptions: subscribed = createSubscriptions() }: McpConnection,
  check: (uri: string, signal: AbortSignal) => Promise<unknown>,
): void {
  let unfollow = () => {};
  const sendUpdates = async (uris: readonly string[]) => {
    for (const uri of era === 'modern' ? uris : await subscribed.filterSubscribed(uris)) {
      void server.sendResourceUpdated({ uri }).catch(() => {});
    }
  };
  const begin = () => {
    unfollow();
    unfollow = notifications.follow(caller.id, (uris) => {
      void server.sendResourceListChanged().catch(() => {});
      void sendUpdates(uris).catch(() => {});
    });
  };
  server.onclose = () => unfollow();
  if (era === 'modern') {
    notifications.includeOtherProcesses();
    begin();
    return;
  }
  server.oninitialized = begin;
  if (subscribed.shared) {
    notifications.includeOtherProcesses();
    begin();
  }
  server.setRequestHandler('resources/subscribe', async ({ params: { uri } }, { mcpReq }) => {
    await check(uri, mcpReq.signal);
    if (!(await subscribed.add(uri))) {
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `this connection is subscribed to ${MAX_SUBSCRIPTIONS} resources: unsubscribe from some first`,
      );
    }
    notifications.includeOtherProcesses();
    return {};
  });
  server.setRequestHandler('resources/unsubscribe', async ({ params: { uri } }) => {
    await subscribed.remove(uri);
    return {};
  });
}

function createSubscriptions(): ResourceSubscriptions {
  const kept = new Set<string>();
  return {
    shared: false,
    async add(uri) {
      if (kept.size >= MAX_SUBSCRIPTIONS && !kept.has(uri)) return false;
      kept.add(uri);
      return true;
    },
    async remove(uri) {
      kept.delete(uri);
    },
    filterSubscribed: async (uris) => uris.filter((uri) => kept.has(uri)),
    list: async () => [...kept],
  };
}
