import { attempt } from '../lib/attempt.ts';
import { moduleUrl } from '../lib/workers/module-url.ts';
import { loadInSteps } from './load-in-steps.ts';

const WATCH = [
  'prom-client',
  'undici',
  '../storage/sqlite.ts',
  '../monitor/stores/stores.ts',
  './open/open-monitor.ts',
];
const CALLS = [
  './open/open-knowledge.ts',
  '../knowledge/stores/entry-store.ts',
  './open/open-browse.ts',
  '../lib/orders/find-orders.ts',
  './open/open-search.ts',
  '../search/stores/pages.ts',
  './open/open-documents.ts',
  '../documents/stores/documents.ts',
  '../security/stores/scans.ts',
  '../security/stores/finding-cache.ts',
  './open/open-security.ts',
  './open/open-compliance.ts',
  '../compliance/stores/assessments.ts',
  '../compliance/stores/jobs.ts',
];

/** Loads modules in small steps. Loading them at once would block the event loop for half a second. */
export async function preload(stop: AbortSignal, watch: () => void): Promise<void> {
  await loadInSteps(WATCH.flatMap(addressOf), stop);
  if (stop.aborted) return;
  watch();
  await loadInSteps(CALLS.flatMap(addressOf), stop);
}

function addressOf(module: string): string[] {
  if (module.startsWith('.')) return [moduleUrl(module, import.meta.url).href];
  const address = attempt(() => import.meta.resolve(module));
  return address === undefined ? [] : [address];
}
