import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';

/** Milliseconds of work after which other calls have their turn, and for how long. */
const STEP_MS = 5;
const PAUSE_MS = 5;

/** What a module imports before it runs; what it imports only for types is gone by then. */
const STATIC = /^(?:import|export)\b(?!\s+type\b)[^'"`;()]*?(?:\bfrom\s*)?(['"])([^'"\n]+)\1/gm;

interface Visited {
  readonly at: number;
  /** The earliest module of the walk that this one leads back to, and so belongs with. */
  low: number;
  /** Whether it waits for the others that it belongs with. */
  open: boolean;
}

/**
 * Loads modules, given by their addresses, and all that they import: one by one, what is imported before what imports it,
 * with pauses in which the event loop runs. A single `import()` would hold it until everything is read, compiled and
 * run. Modules that import each other are loaded together, so that the order is the one that a single `import()` has. What a
 * package imports from other packages is loaded with it. What fails to load fails again where it is needed.
 */
export async function loadInSteps(urls: readonly string[], stop?: AbortSignal): Promise<void> {
  const seen = new Map<string, Visited>();
  const waiting: string[] = [];
  let begun = performance.now();

  const pause = async () => {
    if (performance.now() - begun < STEP_MS) return;
    await wait(PAUSE_MS, undefined, { ref: false });
    begun = performance.now();
  };

  async function visit(url: string): Promise<Visited> {
    const mine: Visited = { at: seen.size, low: seen.size, open: true };
    seen.set(url, mine);
    waiting.push(url);
    for (const imported of await staticImports(url)) {
      if (stop?.aborted) break;
      const known = seen.get(imported);
      if (known === undefined) mine.low = Math.min(mine.low, (await visit(imported)).low);
      else if (known.open) mine.low = Math.min(mine.low, known.at);
    }
    if (mine.low < mine.at || stop?.aborted) return mine;
    // The first of those that belong together imports the others.
    for (let last: string | undefined; last !== url; ) {
      last = waiting.pop();
      const visited = seen.get(last ?? url);
      if (visited) visited.open = false;
    }
    await import(url).catch(() => {});
    await pause();
    return { ...mine, low: mine.at };
  }

  for (const url of urls) if (!seen.has(url) && !stop?.aborted) await visit(url);
}

/** Addresses of the files that a module imports, without those of Node itself. */
async function staticImports(url: string): Promise<string[]> {
  const text = await readFile(new URL(url), 'utf8').catch(() => '');
  const found: string[] = [];
  for (const [, , name = ''] of text.matchAll(STATIC)) {
    const relative = /^\.\.?\//.test(name);
    if (!relative && url.includes('/node_modules/')) continue;
    const resolved = relative ? new URL(name, url).href : resolvedPackage(name);
    if (resolved?.startsWith('file:')) found.push(resolved);
  }
  return found;
}

function resolvedPackage(name: string): string | undefined {
  try {
    return import.meta.resolve(name);
  } catch {
    return undefined;
  }
}
