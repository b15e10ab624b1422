import {
  DOCUMENTS_URI,
  documentUri,
  ENTRIES_URI,
  entryUri,
  monitorUri,
  STATS_URI,
} from '../../lib/resource-uri.ts';
import type { Services } from '../../wiring/services.ts';

/** Called with the addresses of resources that have changed. */
export type Follower = (uris: readonly string[]) => void;

/** Tells connections what has changed of their own caller's resources, and of nobody else's. */
export interface Notices {
  /** Gives the function that ends it. */
  follow(owner: string, follower: Follower): () => void;
  /**
   * Somebody waits for changes: from now on those of other processes are told too, which only an open room sees.
   * It is opened a little later, so that no connection waits for it.
   */
  watch(): void;
  /** `look` is called with an owner right before they are told of changes: it may end followers. */
  beforeTelling(look: (owner: string) => void): void;
  /** Followers that an owner has. */
  followers(owner: string): number;
  close(): void;
}

/** Milliseconds over which changes are gathered into one notice. */
const GATHERED = 100;
/** Milliseconds after which the room is opened for those who wait. */
const OPENED = 500;
/** Most addresses that one notice names; those of the list and the figures come first, and stand for all others. */
const NAMED = 1000;

export function createNotices(
  services: Pick<Services, 'onKnowledgeChange' | 'knowledge' | 'onMonitorChange' | 'monitor'>,
): Notices {
  const followers = new Map<string, Set<Follower>>();
  const changed = new Map<string, Set<string>>();
  let look: (owner: string) => void = () => {};
  let timer: NodeJS.Timeout | undefined;
  let opening: NodeJS.Timeout | undefined;

  const tell = () => {
    timer = undefined;
    const news = [...changed];
    changed.clear();
    for (const [owner, uris] of news) {
      look(owner);
      for (const follower of followers.get(owner) ?? []) follower([...uris]);
    }
  };
  /** Adds addresses to an owner's next notice. */
  const gather = (owner: string, uris: readonly string[]) => {
    if (!followers.has(owner)) return;
    const gathered = changed.get(owner) ?? new Set();
    for (const uri of uris) if (gathered.size < NAMED) gathered.add(uri);
    changed.set(owner, gathered);
    timer ??= setTimeout(tell, GATHERED).unref();
  };
  const stops = [
    services.onKnowledgeChange((owner, { ids }) =>
      gather(owner, [STATS_URI, ENTRIES_URI, ...ids.slice(0, NAMED).map(uriOf)]),
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
    watch() {
      // A room that cannot be opened tells those who use it.
      opening ??= setTimeout(() => {
        for (const open of [services.knowledge, services.monitor]) void open().catch(() => {});
      }, OPENED).unref();
    },
    beforeTelling(first) {
      look = first;
    },
    followers: (owner) => followers.get(owner)?.size ?? 0,
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
