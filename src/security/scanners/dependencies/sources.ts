import type { AdvisorySource } from './advisories/advisory.ts';
import type { Fetch } from './advisories/ask.ts';
import { createNpmBulk } from './advisories/npm-bulk.ts';
import { createOfflineSource, offlineEcosystems } from './advisories/offline.ts';
import { createOsvApi } from './advisories/osv-api.ts';
import { ECOSYSTEMS, type Ecosystem } from './ecosystem.ts';

const DAY_MS = 86_400_000;

export function createSources(options: {
  readonly chosen: readonly string[];
  readonly folder: string;
  readonly fetch: Fetch;
  readonly osvUrl: string;
  readonly npmUrl: string;
  /** Maximum age of the offline database in days. An older database is used only if the operator chose `offline`. */
  readonly days: number;
}): () => readonly AdvisorySource[] {
  const { chosen, folder, fetch, days } = options;
  const osv = createOsvApi({ fetch, url: options.osvUrl });
  const npm = createNpmBulk({ fetch, url: options.npmUrl });
  const everything = new Set(ECOSYSTEMS);
  return () => {
    if (chosen.includes('off')) return [];
    const known = offlineEcosystems(folder);
    const oldest = Date.now() - days * DAY_MS;
    if (chosen.length > 0) {
      // Without a database, this source still covers all ecosystems. Scans then report the missing database.
      const had = known.length === 0 ? everything : new Set(known.map(({ ecosystem }) => ecosystem));
      const old = known.filter(({ updatedAt }) => updatedAt < oldest);
      const stale = new Map(old.map(({ ecosystem, updatedAt }) => [ecosystem, updatedAt]));
      const offline = { ...createOfflineSource(folder, had), stale };
      return [
        ...(chosen.includes('offline') ? [offline] : []),
        ...(chosen.includes('osv') ? [osv] : []),
        ...(chosen.includes('npm') ? [npm] : []),
      ];
    }
    const fresh = new Set(
      known.filter(({ updatedAt }) => updatedAt >= oldest).map(({ ecosystem }) => ecosystem),
    );
    const offline = createOfflineSource(folder, fresh);
    const rest = { ...osv, covers: (ecosystem: Ecosystem) => !offline.covers(ecosystem) };
    return fresh.size === 0 ? [osv] : [offline, rest];
  };
}
