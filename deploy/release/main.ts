import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { PROJECT } from '../../docs/install/project.ts';
import { makeBundle } from './bundle.ts';
import { writeChecksums } from './checksums.ts';
import { npm, ROOT, run } from './programs.ts';
import { writeProvenance } from './provenance.ts';
import { writeSbom } from './sbom.ts';

/**
 * `npm run release -- --out <folder>` makes all files of a release and publishes none: the npm package, the bundle for Claude
 * Desktop, the bill of materials, a statement of provenance, and checksums of them. `--tag` adds the tag of the version.
 */
const { values } = parseArgs({
  options: {
    out: { type: 'string', default: 'artifacts/release' },
    tag: { type: 'boolean', default: false },
  },
});
const say = (line: string) => process.stderr.write(`${line}\n`);

try {
  await release(resolve(values.out), values.tag);
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}

async function release(out: string, tag: boolean): Promise<void> {
  const name = `v${PROJECT.version}`;
  if ((await run('git', ['status', '--porcelain'])) !== '')
    throw new Error('The working tree has changes that are not committed: a release is made of a commit.');
  if (tag) await refuseTag(name);
  if (existsSync(out) && readdirSync(out).length > 0)
    throw new Error(`${out} is not empty: name an empty folder by --out.`);
  mkdirSync(out, { recursive: true });

  say('Builds and packs the npm package.');
  await npm(['pack', '--silent', '--pack-destination', out]);
  const tarball = `${PROJECT.name}-${PROJECT.version}.tgz`;
  say('Makes the bundle for Claude Desktop.');
  await makeBundle(`${out}/${tarball}`, `${out}/${PROJECT.name}-${PROJECT.version}.mcpb`);
  say('Writes the bill of materials, the provenance and the checksums.');
  await writeSbom(`${out}/${PROJECT.name}-${PROJECT.version}.cdx.json`);
  copyFileSync(`${ROOT}/server.json`, `${out}/server.json`);
  await writeProvenance(out);
  writeChecksums(out);

  if (tag) await run('git', ['tag', '--annotate', name, '--message', `Magpie ${PROJECT.version}`]);
  say(`Made in ${out}:\n${readFileSync(`${out}/SHA256SUMS`, 'utf8')}${nextSteps(out, tarball, tag)}`);
}

/** A version is tagged once, when the changelog has its section. */
async function refuseTag(name: string): Promise<void> {
  if ((await run('git', ['tag', '--list', name])) !== '')
    throw new Error(`The tag ${name} exists: raise the version in package.json.`);
  if (!readFileSync(`${ROOT}/CHANGELOG.md`, 'utf8').includes(`\n## [${PROJECT.version}]`))
    throw new Error(`CHANGELOG.md has no section [${PROJECT.version}]: move what is under Unreleased to it.`);
}

function nextSteps(out: string, tarball: string, tag: boolean): string {
  const push = tag ? `git push origin v${PROJECT.version}, ` : '';
  return `Nothing is published. What publishes it: ${push}npm publish ${out}/${tarball}, and mcp-publisher publish.`;
}
