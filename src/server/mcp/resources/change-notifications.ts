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

/** Called with the addresses of resources that have changed. */
export type Follower = (uris: readonly string[]) => void;

/** Notifies connections of changes of their own caller's resources, and of no other user's. */
export interface ChangeNotifications {
  /** Returns the function that ends it. */
  follow(owner: string, follower: Follower): () => void;
  /**
   * From now on changes by other processes are included, which only an open room sees. The rooms are opened a little
   * later, so that no connection waits for them.
   */
  includeOtherProcesses(): void;
  /** `check` is called with an owner before each notification and waited for: it may end followers. */
  beforeNotifying(check: (owner: string) => Promise<void>): void;
  countFollowers(owner: string): number;
  close(): void;
}

/** Milliseconds over which changes are gathered into one notification. */
const GATHER_MS = 100;
/** Milliseconds after which the rooms are opened for those who wait. */
const OPEN_ROOMS_AFTER_MS = 500;
/** What any change of the knowledge base may change. */
const LISTS = [STATS_URI, ENTRIES_URI, COLLECTIONS_URI, TAGS_URI, TRASH_URI];
/** Most addresses in one notification; those of the list and the figures come first, and stand for all others. */
const MAX_ADDRESSES = 1000;

export function createChangeNotifications(
  services: Pick<Services, 'onKnowledgeChange' | 'knowledge' | 'onMonitorChange' | 'monitor'>,
  log: Logger,
): ChangeNotifications {
  const followers = new Map<string, Set<Follower>>();
  const changed = new Map<string, Set<string>>();
  let check: (owner: string) => Promise<void> = async () => {};
  let timer: NodeJS.Timeout | undefined;
  let opening: NodeJS.Timeout | undefined;

  async function notify(owner: string, uris: ReadonlySet<string>): Promise<void> {
    try {
      await check(owner);
    } catch (err) {
      // Who may no longer be notified is unknown now; the next change tries again.
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
  /** Adds addresses to an owner's next notification. */
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
    follow(owner, follower) {
      const own = followers.get(owner) ?? new Set();
      followers.set(owner, own.add(follower));
      return () => {
        own.delete(follower);
        if (own.size === 0 && followers.get(owner) === own) followers.delete(owner);
      };
    },
    includeOtherProcesses() {
      // A room that cannot be opened reports that to its own callers.
      opening ??= setTimeout(() => {
        for (const open of [services.knowledge, services.monitor]) void open().catch(() => {});
      }, OPEN_ROOMS_AFTER_MS).unref();
    },
    beforeNotifying(first) {
      check = first;
    },
    countFollowers: (owner) => followers.get(owner)?.size ?? 0,
    close() {
      for (const stop of stops) stop();
      clearTimeout(timer);
      clearTimeout(opening);
      followers.clear();
    },
  };
}

/** Changes name an entry by its id, and a file as `doc://` and its name. */
function uriOf(id: string): string {
  return id.startsWith(DOCUMENTS_URI) ? documentUri(id.slice(DOCUMENTS_URI.length)) : entryUri(id);
}
