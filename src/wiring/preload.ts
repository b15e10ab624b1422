import { setTimeout as wait } from 'node:timers/promises';

/**
 * What the first call of each kind would load, smaller parts first: loading a module and all that it imports holds the event
 * loop, up to half a second for a room, and every other call with it.
 */
const PARTS: readonly (() => Promise<unknown>)[] = [
  () => import('prom-client'),
  () => import('undici'),
  () => import('kysely'),
  () => import('yaml'),
  () => import('semver'),
  () => import('dockerfile-ast'),
  () => import('./open-knowledge.ts'),
  () => import('../knowledge/stores/sqlite.ts'),
  () => import('./open-browse.ts'),
  () => import('../browse/reader-desk.ts'),
  () => import('./open-search.ts'),
  () => import('../search/stores/pages.ts'),
  () => import('./open-documents.ts'),
  () => import('../documents/stores/sqlite.ts'),
  () => import('../security/stores/scans.ts'),
  () => import('./open-security.ts'),
  () => import('@ast-grep/napi'),
  () => import('./open-monitor.ts'),
  () => import('./open-compliance.ts'),
];
/** Milliseconds between two parts, in which other calls have their turn. */
const PAUSE_MS = 20;

/** Loads the code of the rooms, and makes none of them. What cannot be loaded is reported by the call that needs it. */
export async function preload(stop: AbortSignal): Promise<void> {
  for (const load of PARTS) {
    if (stop.aborted) return;
    await load().catch(() => {});
    await wait(PAUSE_MS, undefined, { ref: false });
  }
}
