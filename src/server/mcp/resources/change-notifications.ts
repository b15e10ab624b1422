import {
  COLLECTIONS_URI,
  DOCUMENTS_URI,
  documentUri,
  ENTRIES_URI,
  entryUri,
  monitorUri,
  STATS_URI,
  TAGS_URI,
  TRASH_URI,
} from '../../../lib/resource-uri.ts';
import type { Logger } from '../../../log.ts';
import type { Services } from '../../../wiring/services.ts';

export type ChangeFollower = (uris: readonly string[]) => void;

export type ChangeNotifications = ReturnType<typeof createChangeNotifications>;

const GATHER_MS = 100;
/** Milliseconds until the modules open. Only open modules detect changes by other processes. */
const OPEN_ROOMS_AFTER_MS = 500;
const LISTS = [STATS_URI, ENTRIES_URI, COLLECTIONS_URI, TAGS_URI, TRASH_URI];
/** Maximum addresses in a notification. The addresses in `LISTS` come first, so they are never cut off. */
const MAX_ADDRESSES = 1000;

export function createChangeNotifications(
  services: Pick<Services, 'onKnowledgeChange' | 'knowledge' | 'onMonitorChange' | 'monitor'>,
  log: Logger,
) {
  const followers = new Map<string, Set<ChangeFollower>>();
  const changed = new Map<string, Set<string>>();
  let check: (owner: string) => Promise<void> = async () => {};
  let timer: NodeJS.Timeout | undefined;
  let opening: NodeJS.Timeout | undefined;

  async function notify(owner: string, uris: ReadonlySet<string>): Promise<void> {
    try {
      await check(owner);
    } catch (err) {
      log.error({ err }, 'a change was not notified: it could not be checked who may know of it');
      return;
    }
    for (const follower of followers.get(owner) ?? []) {
      try {
        follower([...uris]);
      } catch (err) {
        log.warn({ err }, 'a connection could not be notified of a change');
      }
    }
  }
  const notifyAll = () => {
    timer = undefined;
    const gathered = [...changed];
    changed.clear();
    for (const [owner, uris] of gathered) void notify(owner, uris);
  };
  const gather = (owner: string, uris: readonly string[]) => {
    if (!followers.has(owner)) return;
    const gathered = changed.get(owner) ?? new Set();
    for (const uri of uris) if (gathered.size < MAX_ADDRESSES) gathered.add(uri);
    changed.set(owner, gathered);
    timer ??= setTimeout(notifyAll, GATHER_MS).unref();
  };
  const stops = [
    services.onKnowledgeChange((owner, { ids }) =>
      gather(owner, [...LISTS, ...ids.slice(0, MAX_ADDRESSES).map(uriOf)]),
    ),
    services.onMonitorChange((owner, id) => gather(owner, [monitorUri(id)])),
  ];

  return {
    follow(owner: string, follower: ChangeFollower): () => void {
      const own = followers.get(owner) ?? new Set();
      followers.set(owner, own.add(follower));
      return () => {
        own.delete(follower);
        if (own.size === 0 && followers.get(owner) === own) followers.delete(owner);
      };
    },
    /** Also reports changes by other processes. The modules that detect them open a little later. */
    includeOtherProcesses(): void {
      opening ??= setTimeout(() => {
        for (const open of [services.knowledge, services.monitor]) void open().catch(() => {});
      }, OPEN_ROOMS_AFTER_MS).unref();
    },
    beforeNotifying(first: (owner: string) => Promise<void>): void {
      check = first;
    },
    countFollowers: (owner: string): number => followers.get(owner)?.size ?? 0,
    close(): void {
      for (const stop of stops) stop();
      clearTimeout(timer);
      clearTimeout(opening);
      followers.clear();
    },
  };
}

function uriOf(id: string): string {
  return id.startsWith(DOCUMENTS_URI) ? documentUri(id.slice(DOCUMENTS_URI.length)) : entryUri(id);
}
