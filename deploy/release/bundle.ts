import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mcpbManifest } from './mcpb-manifest.ts';
import { npm, ROOT, run } from './programs.ts';

/** The command of the format's maker, which checks and packs bundles; no part of a checkout. */
const MCPB = '@anthropic-ai/mcpb@2.1.2';

/** Parts made for one system: a bundle is for all of them, and the server does their work in WebAssembly or without. */
const NATIVE = ['onnxruntime-node', 'hnswlib-node'];

/**
 * Makes the bundle `file` of the packed npm package `tarball`: the package, all that it depends on, the manifest and the icon.
 *
 * @throws {Error} when the command that checks bundles does not take it.
 */
export async function makeBundle(tarball: string, file: string): Promise<void> {
  const stage = mkdtempSync(join(tmpdir(), 'magpie-bundle-'));
  try {
    await run('tar', ['-xzf', tarball, '--strip-components', '1', '-C', stage]);
    const manifest = JSON.parse(readFileSync(`${stage}/package.json`, 'utf8'));
    for (const name of NATIVE) delete manifest.optionalDependencies?.[name];
    for (const part of ['devDependencies', 'workspaces', 'scripts']) delete manifest[part];
    writeFileSync(`${stage}/package.json`, JSON.stringify(manifest, null, 2));
    await npm(['install', '--silent', '--no-audit', '--no-fund', '--ignore-scripts', '--omit', 'dev'], stage);
    rmSync(`${stage}/package-lock.json`);
    writeFileSync(`${stage}/manifest.json`, JSON.stringify(mcpbManifest(), null, 2));
    copyFileSync(`${ROOT}/deploy/release/icon.png`, `${stage}/icon.png`);
    const mcpb = (args: readonly string[]) => npm(['exec', '--yes', '--', MCPB, ...args], stage);
    await mcpb(['validate', 'manifest.json']);
    await mcpb(['pack', stage, file]);
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}
