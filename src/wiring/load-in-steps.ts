import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** Milliseconds of work after which other calls have their turn, and for how long. */
const STEP_MS = 5;
const PAUSE_MS = 5;

/** What a module imports before it runs; what it imports only for types is gone by then. */
const STATIC = /^(?:import|export)\b(?!\s+type\b)[^'"`;()]*?(?:\bfrom\s*)?(['"])([^'"\n]+)\1/gm;

/** The same of a CommonJS module: a statement that is not indented, and so runs when the module does. */
const REQUIRED =
  /^(?=const |let |var |\}|module\.|exports\.|require\().{0,200}?\brequire\((['"])(\.[^'"\n]+)\1\)/gm;

/** A module, by its address, and whether it is CommonJS that a file of its package requires. */
interface Found {
  readonly url: string;
  readonly required: boolean;
}

/** Addresses of what this process has loaded so far: a second server in it reads none of them again. */
const loaded = new Set<string>();

interface Visited {
  readonly at: number;
  /** The earliest module of the walk that this one leads back to, and so belongs with. */
  low: number;
}

/**
 * Loads modules, given by their addresses, and all that they import: one by one, what is imported before what imports it,
 * with pauses in which the event loop runs. A single `import()` would hold it until everything is read, compiled and
 * run. Modules that import each other are loaded together, so that the order is the one that a single `import()` has. What a
 * package imports from other packages is loaded with it; of CommonJS, what a file requires of its own package when it runs.
 * What fails to load fails again where it is needed.
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

  /** Where a module leads back to; nowhere once it is loaded. */
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
    // The first of those that belong together imports the others.
    const together = waiting.splice(waiting.indexOf(url));
    await (required ? requireFile(url) : import(url).catch(() => {}));
    for (const one of together) loaded.add(one);
    await pause();
    return { ...mine, low: mine.at };
  }

  for (const url of urls) if (!loaded.has(url) && !stop?.aborted) await visit({ url, required: false });
}

/** As `require` does it: to import CommonJS takes longer, since its exports are sought in its text. */
function requireFile(url: string): void {
  try {
    createRequire(url)(fileURLToPath(url));
  } catch {}
}

/** The files that a module imports, without those of Node itself. */
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

/** Undefined for what is not there, and for data. */
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
