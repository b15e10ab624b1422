import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { attempt } from '../lib/attempt.ts';

/** Milliseconds after which loading pauses, so that other work can run. */
const STEP_MS = 5;
const PAUSE_MS = 5;

/** Matches static imports, except type imports, which load nothing. */
const STATIC = /^(?:import|export)\b(?!\s+type\b)[^'"`;()]*?(?:\bfrom\s*)?(['"])([^'"\n]+)\1/gm;

/** Matches `require` calls without indentation, because only these run while a module is loaded. */
const REQUIRED =
  /^(?=const |let |var |\}|module\.|exports\.|require\().{0,200}?\brequire\((['"])(\.[^'"\n]+)\1\)/gm;

/** A module to load. `required`: a CommonJS file that another file of its package requires. */
interface ModuleToLoad {
  readonly url: string;
  readonly required: boolean;
}

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

  async function earliest(found: ModuleToLoad): Promise<number> {
    if (loaded.has(found.url)) return Number.POSITIVE_INFINITY;
    const known = seen.get(found.url);
    return known?.at ?? (await visit(found)).low;
  }

  async function visit({ url, required }: ModuleToLoad): Promise<VisitedModule> {
    const mine: VisitedModule = { at: seen.size, low: seen.size };
    seen.set(url, mine);
    waiting.push(url);
    for (const imported of await staticImports(url)) {
      if (stop?.aborted) break;
      mine.low = Math.min(mine.low, await earliest(imported));
    }
    if (mine.low < mine.at || stop?.aborted) return mine;
    const together = waiting.splice(waiting.indexOf(url));
    await (required ? requireFile(url) : import(url).catch(() => {}));
    for (const one of together) loaded.add(one);
    await pause();
    return { ...mine, low: mine.at };
  }

  for (const url of urls) if (!loaded.has(url) && !stop?.aborted) await visit({ url, required: false });
}

/** Loads a CommonJS file. `import` would be slower, because it searches the text for exports. */
function requireFile(url: string): void {
  try {
    createRequire(url)(fileURLToPath(url));
  } catch {}
}

async function staticImports(url: string): Promise<ModuleToLoad[]> {
  const text = await readFile(new URL(url), 'utf8').catch(() => '');
  const found: ModuleToLoad[] = [];
  const inPackage = url.includes('/node_modules/');
  for (const [, , name = ''] of text.matchAll(STATIC)) {
    const relative = /^\.\.?\//.test(name);
    if (!relative && inPackage) continue;
    const resolved = relative ? new URL(name, url).href : attempt(() => import.meta.resolve(name));
    if (resolved?.startsWith('file:')) found.push({ url: resolved, required: false });
  }
  if (!inPackage) return found;
  for (const [, , name = ''] of text.matchAll(REQUIRED)) {
    const resolved = requiredFile(name, url);
    if (resolved !== undefined) found.push({ url: resolved, required: true });
  }
  return found;
}

function requiredFile(name: string, from: string): string | undefined {
  const path = attempt(() => createRequire(from).resolve(name)) ?? '';
  return /\.c?js$/.test(path) ? pathToFileURL(path).href : undefined;
}
