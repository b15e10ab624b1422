import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { npm, ROOT } from './programs.ts';

/**
 * Writes the bill of materials of what a user installs, in CycloneDX's JSON: the packages that the build put into `dist`, with the
 * checksums of the lockfile.
 */
export async function writeSbom(file: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'magpie-sbom-'));
  try {
    const shipped: { name: string; version: string }[] = JSON.parse(
      readFileSync(`${ROOT}/dist/packages.json`, 'utf8'),
    );
    const { name, version, license } = JSON.parse(readFileSync(`${ROOT}/package.json`, 'utf8'));
    writeFileSync(`${folder}/package.json`, JSON.stringify({ name, version, license }));
    copyFileSync(`${ROOT}/package-lock.json`, `${folder}/package-lock.json`);
    const wanted = [...new Map(shipped.map((one) => [one.name, `${one.name}@${one.version}`])).values()];
    await npm(
      ['install', '--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund', ...wanted],
      folder,
    );
    const sbom = JSON.parse(await npm(['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx'], folder));
    const inside = new Set(shipped.map((one) => `${one.name}@${one.version}`));
    const components = sbom.components.filter((one: { name: string; version: string; group?: string }) =>
      inside.has(`${one.name}@${one.version}`),
    );
    writeFileSync(file, `${JSON.stringify({ ...sbom, components }, null, 2)}\n`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
