import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';

/** An optional npm package of Magpie, installed only when the user asks for it. */
export interface Part {
  /** Name of the npm package. `version` is the version to install. */
  readonly name: string;
  readonly version: string;
  readonly about: string;
}

/** All optional packages, by the word that `magpie add` takes. */
export const PARTS = {
  native: {
    name: 'onnxruntime-node',
    version: '1.30.0',
    about: 'runs sentence models as code of this machine, about seven times as fast as in WebAssembly',
  },
  graphs: {
    name: 'hnswlib-node',
    version: '3.0.0',
    about:
      'searches knowledge bases of 30,000 passages and more in less time; npm compiles it, with a C++ compiler',
  },
  multilingual: {
    name: 'magpie-mcp-multilingual',
    version: '0.1.0',
    about: 'finds texts in a hundred languages by their meaning, across languages too (121 MB)',
  },
} as const satisfies Readonly<Record<string, Part>>;

export type PartName = keyof typeof PARTS;

/** Key under which worker threads inherit the folder from the thread that starts them, since their environment is empty. */
const FOLDER = 'magpie:parts';

/** Returns the folder in the data folder in which `magpie add` installs packages. */
export const partsFolder = (data: string): string => join(data, 'parts');

/** Sets the folder in which `magpie add` installs packages. Before that, optional packages are found only next to Magpie. */
export function setPartsFolder(folder: string): void {
  setEnvironmentData(FOLDER, folder);
}

/**
 * Returns the URL of a file of an optional package, or of its main module if no `path` is given. Searches next to Magpie, as npm
 * does, and then the folder of optional packages. Undefined if the package is not installed.
 */
export function findPart(part: PartName, path = ''): string | undefined {
  const { name } = PARTS[part];
  const folder = getEnvironmentData(FOLDER);
  const places = [import.meta.url, ...(typeof folder === 'string' ? [join(folder, 'package.json')] : [])];
  for (const place of places) {
    try {
      return pathToFileURL(createRequire(place).resolve(path ? `${name}/${path}` : name)).href;
    } catch {}
  }
  return undefined;
}

/** Imports an optional package. Rejects if it is not installed, or with its own error if it cannot run on this machine. */
export async function importPart<Code>(part: PartName): Promise<Code> {
  const found = findPart(part);
  if (!found) throw new Error(`${PARTS[part].name} is not installed: magpie add ${part}`);
  return (await import(found)) as Code;
}
