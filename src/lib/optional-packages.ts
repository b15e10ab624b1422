import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';

export interface OptionalPackage {
  readonly name: string;
  readonly version: string;
  readonly about: string;
}

export const OPTIONAL_PACKAGES = {
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
} as const satisfies Readonly<Record<string, OptionalPackage>>;

export type OptionalPackageName = keyof typeof OPTIONAL_PACKAGES;
/** Key under which `setEnvironmentData` passes the folder to worker threads. */
const FOLDER = 'magpie:parts';

export const optionalPackagesFolder = (data: string): string => join(data, 'parts');

export function setOptionalPackagesFolder(folder: string): void {
  setEnvironmentData(FOLDER, folder);
}

export function findOptionalPackage(part: OptionalPackageName, path = ''): string | undefined {
  const { name } = OPTIONAL_PACKAGES[part];
  const folder = getEnvironmentData(FOLDER);
  const places = [import.meta.url, ...(typeof folder === 'string' ? [join(folder, 'package.json')] : [])];
  for (const place of places) {
    try {
      return pathToFileURL(createRequire(place).resolve(path ? `${name}/${path}` : name)).href;
    } catch {}
  }
  return undefined;
}

export function isOptionalPackageInstalled(part: OptionalPackageName): boolean {
  return [findOptionalPackage(part), findOptionalPackage(part, 'package.json')].some(Boolean);
}

export async function importOptionalPackage<Code>(part: OptionalPackageName): Promise<Code> {
  const found = findOptionalPackage(part);
  if (!found) throw new Error(`${OPTIONAL_PACKAGES[part].name} is not installed: magpie add ${part}`);
  return (await import(found)) as Code;
}
