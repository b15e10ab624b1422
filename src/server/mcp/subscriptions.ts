import { ProtocolError, ProtocolErrorCode, type Server } from '@modelcontextprotocol/server';
import type { Caller } from '../../caller.ts';
import type { ChangeNotifications } from './change-notifications.ts';

/** What a server needs that lasts as long as its connection. */
export interface Connection {
  readonly notifications: ChangeNotifications;
  readonly era: 'legacy' | 'modern';
}

/** Whether the caller has the resource: AppError or ProtocolError where not. */
export type ResourceCheck = (uri: string) => Promise<unknown>;

/** Addresses that one connection may be subscribed to. */
const MAX_SUBSCRIPTIONS = 1000;

/**
 * Notifies one connection of changes of its caller's resources, until it closes. Clients before 2026-07-28
 * subscribe to each address; later ones open a stream, and the SDK passes on what that stream asked for.
 */
export function followChanges(
  server: Server,
  caller: Caller,
  { notifications, era }: Connection,
  check: ResourceCheck,
): void {
  const subscribed = new Set<string>();
  let unfollow = () => {};
  const begin = () => {
    unfollow();
    unfollow = notifications.follow(caller.id, (uris) => {
      // A connection that is closing needs no notification.
      void server.sendResourceListChanged().catch(() => {});
      for (const uri of era === 'modern' ? uris : uris.filter((one) => subscribed.has(one))) {
        void server.sendResourceUpdated({ uri }).catch(() => {});
      }
    });
  };
  server.onclose = () => unfollow();
  if (era === 'modern') {
    notifications.includeOtherProcesses();
    begin();
    return;
  }
  server.oninitialized = begin;
  server.setRequestHandler('resources/subscribe', async ({ params: { uri } }) => {
    if (subscribed.size >= MAX_SUBSCRIPTIONS && !subscribed.has(uri)) {
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `this connection is subscribed to ${MAX_SUBSCRIPTIONS} resources: unsubscribe from some first`,
      );
    }
    await check(uri);
    subscribed.add(uri);
    notifications.includeOtherProcesses();
    return {};
  });
  server.setRequestHandler('resources/unsubscribe', ({ params: { uri } }) => {
    subscribed.delete(uri);
    return {};
  });
}
