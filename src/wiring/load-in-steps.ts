import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { attempt } from '../lib/attempt.ts';

/** Milliseconds after which loading pauses, so that other work can run. */
const STEP_MS = 5;
const PAUSE_MS = 5;

/** Matches static imports, except type imports, which load nothing. */
const STATIC = /^(?:import|export)\b(?!\s+type\b)[^'"`;()]*?(?:\bfrom\s*)?(['"])([^'"\n]+)\1/gm;

/** URLs of loaded modules, so that a second server in this process need not read them. */
const loaded = new Set<string>();

interface VisitedModule {
  readonly at: number;
  /** Smallest index that imports reach (Tarjan's algorithm). A module with `low` below `at` is in a cycle. */
  low: number;
}

/** Loads modules one by one with pauses. A single `import()` of all would block the event loop. */
export async function loadInSteps(urls: readonly string[], stop?: AbortSignal): Promise<void> {
  const seen = new Map<string, VisitedModule>();
  const waiting: string[] = [];
  let begun = performance.now();

  const pause = async () => {
    if (performance.now() - begun < STEP_MS) return;
    await wait(PAUSE_MS, undefined, { ref: false });
    begun = performance.now();
  };

  async function earliest(url: string): Promise<number> {
    if (loaded.has(url)) return Number.POSITIVE_INFINITY;
    return seen.get(url)?.at ?? (await visit(url)).low;
  }

  async function visit(url: string): Promise<VisitedModule> {
    const mine: VisitedModule = { at: seen.size, low: seen.size };
    seen.set(url, mine);
    waiting.push(url);
    for (const imported of await staticImports(url)) {
      if (stop?.aborted) break;
      mine.low = Math.min(mine.low, await earliest(imported));
    }
    if (mine.low < mine.at || stop?.aborted) return mine;
    const together = waiting.splice(waiting.indexOf(url));
    await import(url).catch(() => {});
    for (const one of together) loaded.add(one);
    await pause();
    return { ...mine, low: mine.at };
  }

  for (const url of urls) if (!loaded.has(url) && !stop?.aborted) await visit(url);
}

/** Returns the imports of a module. A CommonJS package has none and is loaded at once. */
async function staticImports(url: string): Promise<string[]> {
  const text = await readFile(new URL(url), 'utf8').catch(() => '');
  return [...text.matchAll(STATIC)].flatMap(([, , name = '']) => {
    const isRelative = /^\.\.?\//.test(name);
    if (!isRelative && url.includes('/node_modules/')) return [];
    const resolved = isRelative ? new URL(name, url).href : attempt(() => import.meta.resolve(name));
    return resolved?.startsWith('file:') ? [resolved] : [];
  });
}
