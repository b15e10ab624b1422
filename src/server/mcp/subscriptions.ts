import { ProtocolError, ProtocolErrorCode, type Server } from '@modelcontextprotocol/server';
import type { Caller } from '../../caller.ts';
import type { Connection } from './mcp.ts';

/** Addresses that one connection may be subscribed to. */
const SUBSCRIBED = 1000;

/**
 * Tells one connection of the changes of its caller's resources, until it closes. Clients before 2026-07-28
 * subscribe to each address; later ones open a stream, and the SDK passes on what that stream asked for.
 */
export function followChanges(server: Server, caller: Caller, { notices, era }: Connection): void {
  const subscribed = new Set<string>();
  let unfollow = () => {};
  const begin = () => {
    unfollow();
    unfollow = notices.follow(caller.id, (uris) => {
      // A connection that is going away hears no more; that is nobody's loss.
      void server.sendResourceListChanged().catch(() => {});
      for (const uri of era === 'modern' ? uris : uris.filter((one) => subscribed.has(one))) {
        void server.sendResourceUpdated({ uri }).catch(() => {});
      }
    });
  };
  server.onclose = () => unfollow();
  if (era === 'modern') {
    notices.watch();
    begin();
    return;
  }
  server.oninitialized = begin;
  server.setRequestHandler('resources/subscribe', ({ params: { uri } }) => {
    if (subscribed.size >= SUBSCRIBED && !subscribed.has(uri)) {
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `this connection is subscribed to ${SUBSCRIBED} resources: unsubscribe from some first`,
      );
    }
    subscribed.add(uri);
    notices.watch();
    return {};
  });
  server.setRequestHandler('resources/unsubscribe', ({ params: { uri } }) => {
    subscribed.delete(uri);
    return {};
  });
}
