import type { DirectDependency } from '../lockfile-reader.ts';
import { parseJson, textsIn } from './json-tree.ts';

export function npmManifestNeeds(manifest: string | undefined): DirectDependency[] {
  if (manifest === undefined) return [];
  const { root } = parseJson(manifest);
  return (['dependencies', 'optionalDependencies', 'devDependencies'] as const).flatMap((kind) =>
    textsIn(root, kind).map(([name, range]) => ({ name, range, development: kind === 'devDependencies' })),
  );
}
