import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** After this time, loading pauses for `PAUSE_MS`, so that other work can run. */
const STEP_MS = 5;
const PAUSE_MS = 5;

/** Static imports, without type imports, which are not loaded. */
const STATIC = /^(?:import|export)\b(?!\s+type\b)[^'"`;()]*?(?:\bfrom\s*)?(['"])([^'"\n]+)\1/gm;

/** `require` calls without indentation. Only these run when the module is loaded. */
const REQUIRED =
  /^(?=const |let |var |\}|module\.|exports\.|require\().{0,200}?\brequire\((['"])(\.[^'"\n]+)\1\)/gm;

/** `required` is true for a CommonJS file that another file of its package requires. */
interface Found {
  readonly url: string;
  readonly required: boolean;
}

/** Loaded modules, so that a second server in the process does not read them again. */
const loaded = new Set<string>();

interface Visited {
  readonly at: number;
  /** Smallest index of this module and its imports. If it is below `at`, the module is part of an import cycle. */
  low: number;
}

/** Loads modules and their imports one by one with pauses. One `import()` of all would block the event loop. */
export async function loadInSteps(urls: readonly string[], stop?: AbortSignal): Promise<void> {
  const seen = new Map<string, Visited>();
  const waiting: string[] = [];
  let begun = performance.now();

  const pause = async () => {
    if (performance.now() - begun < STEP_MS) return;
    await wait(PAUSE_MS, undefined, { ref: false });
    begun = performance.now();
  };

  /** Smallest index to which an import leads. Infinity if the imported module is loaded. */
  async function earliest(found: Found): Promise<number> {
    if (loaded.has(found.url)) return Number.POSITIVE_INFINITY;
    const known = seen.get(found.url);
    return known?.at ?? (await visit(found)).low;
  }

  async function visit({ url, required }: Found): Promise<Visited> {
    const mine: Visited = { at: seen.size, low: seen.size };
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

/** `import` of a CommonJS file is slower, because it parses the text for exports. */
function requireFile(url: string): void {
  try {
    createRequire(url)(fileURLToPath(url));
  } catch {}
}

async function staticImports(url: string): Promise<Found[]> {
  const text = await readFile(new URL(url), 'utf8').catch(() => '');
  const found: Found[] = [];
  const inPackage = url.includes('/node_modules/');
  for (const [, , name = ''] of text.matchAll(STATIC)) {
    const relative = /^\.\.?\//.test(name);
    if (!relative && inPackage) continue;
    const resolved = relative ? new URL(name, url).href : resolvedPackage(name);
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
  try {
    const path = createRequire(from).resolve(name);
    return /\.c?js$/.test(path) ? pathToFileURL(path).href : undefined;
  } catch {
    return undefined;
  }
}

function resolvedPackage(name: string): string | undefined {
  try {
    return import.meta.resolve(name);
  } catch {
    return undefined;
  }
}
