import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { npm, ROOT } from './programs.ts';

/** Writes the bill of materials of what a user installs, in CycloneDX's JSON, with the versions of the lockfile. */
export async function writeSbom(file: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'magpie-sbom-'));
  try {
    const manifest = JSON.parse(readFileSync(`${ROOT}/package.json`, 'utf8'));
    for (const part of ['devDependencies', 'workspaces', 'scripts']) delete manifest[part];
    writeFileSync(`${folder}/package.json`, JSON.stringify(manifest));
    copyFileSync(`${ROOT}/package-lock.json`, `${folder}/package-lock.json`);
    await npm(['install', '--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund'], folder);
    const sbom = await npm(['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx'], folder);
    writeFileSync(file, `${sbom}\n`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
