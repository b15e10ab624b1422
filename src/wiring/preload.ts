import { moduleUrl } from '../lib/workers/module-url.ts';
import { loadInSteps } from './load-in-steps.ts';

/** What the room of monitoring needs: a server begins to watch as soon as these are loaded. */
const WATCH = [
  'prom-client',
  'undici',
  '../storage/sqlite.ts',
  '../monitor/stores/stores.ts',
  './open/open-monitor.ts',
];
/** What the first call of each kind would load. What only workers run is loaded by them. */
const CALLS = [
  './open/open-knowledge.ts',
  '../knowledge/stores/sqlite.ts',
  './open/open-browse.ts',
  './open/open-search.ts',
  '../search/stores/pages.ts',
  './open/open-documents.ts',
  '../documents/stores/documents.ts',
  '../security/stores/scans.ts',
  '../security/stores/kept.ts',
  './open/open-security.ts',
  './open/open-compliance.ts',
  '../compliance/stores/assessments.ts',
  '../compliance/stores/jobs.ts',
];

/**
 * Loads the code of the rooms in small steps, and makes none of them; `watch` is called once that of monitoring is there.
 * Loaded at once, a room holds the event loop for up to half a second, and every other call with it.
 */
export async function preload(stop: AbortSignal, watch: () => void): Promise<void> {
  await loadInSteps(WATCH.flatMap(addressOf), stop);
  if (stop.aborted) return;
  watch();
  await loadInSteps(CALLS.flatMap(addressOf), stop);
}

/** Of what cannot be found: none. The call that needs it reports it. */
function addressOf(module: string): string[] {
  if (module.startsWith('.')) return [moduleUrl(module, import.meta.url).href];
  try {
    return [import.meta.resolve(module)];
  } catch {
    return [];
  }
}
