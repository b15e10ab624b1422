import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Machine } from '../../command.ts';
import { unavailableError } from '../../errors.ts';
import { failureSentence, networkFailure } from '../../lib/network/network-failure.ts';
import type { OptionalPackage } from '../../lib/optional-packages.ts';

/** Time limit for npm. The largest optional package has 121 MB. */
const NPM_MS = 15 * 60_000;
/** Manifest for npm. Only `hnswlib-node` may run its install script, which compiles it. */
const MANIFEST = {
  private: true,
  description: 'Parts of Magpie, installed by `magpie add`.',
  allowScripts: { 'hnswlib-node': true, 'onnxruntime-node': false, protobufjs: false },
};

export interface PartsLocation {
  readonly folder: string;
  readonly machine: Machine;
  readonly signal: AbortSignal;
}

/** Installs a package. Throws AppError `unavailable` with npm's last output if npm fails. */
export async function installPart({ name, version }: OptionalPackage, place: PartsLocation): Promise<void> {
  await mkdir(place.folder, { recursive: true, mode: 0o700 });
  const manifest = join(place.folder, 'package.json');
  if (!existsSync(manifest)) await writeFile(manifest, `${JSON.stringify(MANIFEST, null, 2)}\n`);
  await npm(['install', '--save-exact', '--no-audit', '--no-fund', `${name}@${version}`], place);
  await dropOtherSystems(place);
}

export async function removePart({ name }: OptionalPackage, place: PartsLocation): Promise<void> {
  if (!existsSync(join(place.folder, 'node_modules', name))) return;
  await npm(['uninstall', '--no-audit', '--no-fund', name], place);
}

async function dropOtherSystems({ folder, machine }: PartsLocation): Promise<void> {
  const bin = join(folder, 'node_modules/onnxruntime-node/bin/napi-v6');
  for (const system of await readdir(bin).catch(() => [])) {
    if (system !== machine.platform) await rm(join(bin, system), { recursive: true });
    else
      for (const processor of await readdir(join(bin, system)))
        if (processor !== process.arch) await rm(join(bin, system, processor), { recursive: true });
  }
}

function npm(args: readonly string[], { folder, machine, signal }: PartsLocation): Promise<void> {
  const { program, first } = npmOf(machine);
  // Stops the installer of onnxruntime from downloading libraries for graphics cards.
  const env = { ...machine.env, ONNXRUNTIME_NODE_INSTALL: 'skip' };
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  execFile(
    program,
    // The level is named, because `npm run -s` sets one for its child processes that hides npm's reason.
    [...first, ...args, '--loglevel', 'notice', '--prefix', folder],
    { cwd: folder, env, signal, timeout: NPM_MS, maxBuffer: 16 * 1024 * 1024 },
    (cause, stdout, stderr) => {
      if (!cause || signal.aborted) return resolve();
      const said = `${stderr}\n${stdout}`.trim().split('\n').slice(-8).join('\n');
      reject(
        unavailableError(describeNpmFailure(`npm ${args[0]} failed`, stderr, said || cause.message), {
          cause,
        }),
      );
    },
  );
  return promise;
}

function describeNpmFailure(what: string, stderr: string, said: string): string {
  const [, code] = /^npm (?:error|ERR!) code (\w{3,60})$/m.exec(stderr) ?? [];
  const [, host = ''] = /request to https?:\/\/([^\s/]{1,255})/.exec(stderr) ?? [];
  const failure = host && networkFailure(Object.assign(new Error('npm'), { code }));
  return `${what}: ${failure ? failureSentence(host, failure) : said}`;
}

function npmOf({ node, platform }: Machine): { readonly program: string; readonly first: readonly string[] } {
  const folder = dirname(node);
  const script = [join(folder, 'node_modules'), join(folder, '../lib/node_modules')]
    .map((modules) => join(modules, 'npm/bin/npm-cli.js'))
    .find((path) => existsSync(path));
  if (script) return { program: node, first: [script] };
  return platform === 'win32' ? { program: 'cmd.exe', first: ['/c', 'npm'] } : { program: 'npm', first: [] };
}
