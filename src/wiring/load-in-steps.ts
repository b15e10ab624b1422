import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** Time in milliseconds after which loading pauses for other work, and length of the pause. */
const STEP_MS = 5;
const PAUSE_MS = 5;

/** Static imports of a module. Type imports are excluded, since they are not loaded. */
const STATIC = /^(?:import|export)\b(?!\s+type\b)[^'"`;()]*?(?:\bfrom\s*)?(['"])([^'"\n]+)\1/gm;

/** Top-level `require` calls of a CommonJS module. They are not indented, since only those run when the module is loaded. */
const REQUIRED =
  /^(?=const |let |var |\}|module\.|exports\.|require\().{0,200}?\brequire\((['"])(\.[^'"\n]+)\1\)/gm;

/** URL of a module. `required` means that it is a CommonJS file that another file of its package requires. */
interface Found {
  readonly url: string;
  readonly required: boolean;
}

/** URLs of the modules that this process has loaded, so that a second server does not read them again. */
const loaded = new Set<string>();

interface Visited {
  readonly at: number;
  /** Index of the earliest module to which this one leads back. Both are then in the same import cycle. */
  low: number;
}

/**
 * Loads modules and everything that they import, one by one in the order of dependency, with pauses in which the event loop runs.
 * A single `import()` would block it until everything is read, compiled and run. Modules that import each other are loaded
 * together, so the order is that of a single `import()`. Imports of packages from other packages are not followed; within a
 * CommonJS package, top-level `require` calls are. A module that fails to load fails again where it is needed.
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

  /** Returns the index of the earliest module to which a module leads back, or infinity if it is loaded already. */
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
    // The first module of a cycle imports the others.
    const together = waiting.splice(waiting.indexOf(url));
    await (required ? requireFile(url) : import(url).catch(() => {}));
    for (const one of together) loaded.add(one);
    await pause();
    return { ...mine, low: mine.at };
  }

  for (const url of urls) if (!loaded.has(url) && !stop?.aborted) await visit({ url, required: false });
}

/** Loads a file by `require`, since `import` of CommonJS takes longer: it parses the text for exports. */
function requireFile(url: string): void {
  try {
    createRequire(url)(fileURLToPath(url));
  } catch {}
}

/** Returns the files that a module imports, without those of Node.js itself. */
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

/** Returns the URL of a required file. Undefined for missing files and for data. */
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
