import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';

/** A part of Magpie that most people do without, and npm fetches for those who ask for it. */
export interface Part {
  /** The package that it is, with the version that is taken. */
  readonly name: string;
  readonly version: string;
  /** What it is for, in a line. */
  readonly about: string;
}

/** All of them, by the word that `magpie add` takes. */
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

/** Under this name workers inherit the folder from the thread that starts them: their environment is empty. */
const FOLDER = 'magpie:parts';

/** Where `magpie add` installs them, in the data folder. */
export const partsFolder = (data: string): string => join(data, 'parts');

/** Says where `magpie add` installs; before it is called, parts are found beside Magpie alone. */
export function setPartsFolder(folder: string): void {
  setEnvironmentData(FOLDER, folder);
}

/**
 * The address of a part's file `path`, or of its code where none is given: beside Magpie, as npm finds packages, or else in the
 * folder of parts. Undefined where it is not installed.
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

/** Loads the code of a part. Rejects where it is not installed, and with what it throws on this machine. */
export async function importPart<Code>(part: PartName): Promise<Code> {
  const found = findPart(part);
  if (!found) throw new Error(`${PARTS[part].name} is not installed: magpie add ${part}`);
  return (await import(found)) as Code;
}
