import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';
import packages from './optional-packages.json' with { type: 'json' };

export const OPTIONAL_PACKAGES = packages;

export type OptionalPackageName = keyof typeof OPTIONAL_PACKAGES;
export type OptionalPackage = (typeof OPTIONAL_PACKAGES)[OptionalPackageName];
/** Key under which `setEnvironmentData` passes the folder of optional packages to worker threads. */
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
