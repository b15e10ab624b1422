import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mcpbManifest } from './mcpb-manifest.ts';
import { npm, ROOT, run } from './programs.ts';

/** The command of the format's maker, which checks and packs bundles; no part of a checkout. */
const MCPB = '@anthropic-ai/mcpb@2.1.2';

/**
 * Makes the bundle `file` of the packed npm package `tarball`: what the package holds, the manifest and the icon.
 *
 * @throws {Error} when the command that checks bundles does not take it.
 */
export async function makeBundle(tarball: string, file: string): Promise<void> {
  const stage = mkdtempSync(join(tmpdir(), 'magpie-bundle-'));
  try {
    await run('tar', ['-xzf', tarball, '--strip-components', '1', '-C', stage]);
    writeFileSync(`${stage}/manifest.json`, JSON.stringify(mcpbManifest(), null, 2));
    copyFileSync(`${ROOT}/deploy/release/icon.png`, `${stage}/icon.png`);
    const mcpb = (args: readonly string[]) => npm(['exec', '--yes', '--', MCPB, ...args], stage);
    await mcpb(['validate', 'manifest.json']);
    await mcpb(['pack', stage, file]);
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}
