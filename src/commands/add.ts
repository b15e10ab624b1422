import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { CommandContext, CommandOutcome, Machine } from '../command.ts';
import { badRequestError, unavailableError } from '../errors.ts';
import { failureSentence, networkFailure } from '../lib/network/network-failure.ts';
import {
  isOptionalPackageInstalled,
  OPTIONAL_PACKAGES,
  type OptionalPackage,
  type OptionalPackageName,
  optionalPackagesFolder,
} from '../lib/optional-packages.ts';
import { documentedCommand } from './documented-command.ts';
import { booleanFlag, choiceFlag, wordFlag } from './flags.ts';
import {
  hasSearxngSettings,
  type PreparedSettings,
  REMOVE_COMMAND,
  removeSearxngSettings,
  SEARXNG_URL,
  searxngStartCommand,
  writeSearxngSettings,
} from './parts/searxng.ts';

const SEARXNG = 'searxng';
const PACKAGES = Object.keys(OPTIONAL_PACKAGES) as OptionalPackageName[];
const NAMES = [...PACKAGES, SEARXNG] as const;
const ABOUT_SEARXNG =
  'is a search engine of your own, which asks others for you: its settings are prepared, and Docker runs it';

export const addParts = documentedCommand('add', {
  words: ['part'],
  flags: {
    part: choiceFlag(NAMES).describe(`One of ${NAMES.join(', ')}.`),
    remove: booleanFlag,
    to: wordFlag.describe(`Folder of the settings of ${SEARXNG}, in place of the data folder.`),
    replace: booleanFlag.describe(
      `Writes the settings of ${SEARXNG} again where you have changed them; the old ones are kept.`,
    ),
  },
  effect: ({ part, remove, replace }) => (!part ? 'read' : remove || replace ? 'destroy' : 'write'),
  async run({ part, remove, to, replace }, ctx) {
    if (part !== SEARXNG && (to !== undefined || replace))
      throw badRequestError(`--to and --replace are for ${SEARXNG} alone`);
    if (part === SEARXNG) {
      const folder = to === undefined ? searxngFolder(ctx) : resolve(to);
      return remove ? leaveSearxng(folder, ctx) : addSearxng(folder, replace, ctx);
    }
    if (part) return addPackage(part, remove, ctx);
    if (remove) throw badRequestError(`--remove takes the name of a part: ${NAMES.join(', ')}`);
    await printParts(ctx);
  },
});

async function addPackage(part: OptionalPackageName, remove: boolean, ctx: CommandContext) {
  const { signal, progress, machine, config } = ctx;
  const place = { folder: optionalPackagesFolder(config.data), machine, signal };
  progress(remove ? `Takes ${part} away.` : `npm fetches ${OPTIONAL_PACKAGES[part].name}.`);
  await (remove ? removePart : installPart)(OPTIONAL_PACKAGES[part], place);
  if (signal.aborted) return 'stopped';
  const there = isOptionalPackageInstalled(part);
  if (ctx.json) await ctx.print(JSON.stringify({ part, installed: there }));
  else if (remove)
    await ctx.print(there ? `${part} is left: it is installed beside Magpie.` : `${part} is gone.`);
  else await ctx.print(`${part} is there: the next start of Magpie uses it.`);
  return 'done';
}

const searxngFolder = ({ config }: CommandContext): string => resolve(join(config.data, SEARXNG));

const SAID: Readonly<Record<PreparedSettings['state'], string>> = {
  written: 'The settings are written',
  unchanged: 'The settings are there already',
  kept: 'You have changed the settings, and they are left as they are',
  replaced: 'The settings are written again',
};

async function addSearxng(folder: string, replace: boolean, ctx: CommandContext): Promise<CommandOutcome> {
  const { json, print, machine } = ctx;
  const command = searxngStartCommand(folder, machine.platform);
  const { file, state, hasJson, backup } = await writeSearxngSettings(folder, replace);
  const setting = `MAGPIE_SEARXNG_URL=${SEARXNG_URL}`;
  if (json) await print(JSON.stringify({ part: SEARXNG, file, state, hasJson, command, setting, backup }));
  else {
    await print(`${SAID[state]}: ${file}`);
    if (backup !== undefined) await print(`  as it was: ${backup}`, 'quiet');
    if (!hasJson) {
      await print('JSON is off in it, and Magpie needs it: add json under search: formats:', 'warning');
      await print(`  or write it again, the old one is kept: magpie add ${SEARXNG} --replace`, 'hint');
    }
    await print('Start it with Docker (or podman in its place), for this machine alone:');
    await print(command, 'hint');
    await print('Then set, where Magpie starts:');
    await print(setting, 'hint');
    await print('It costs nothing. Questions go to it, and from it to the engines that it asks.', 'quiet');
  }
  return hasJson ? 'done' : 'partly';
}

async function leaveSearxng(folder: string, { json, print }: CommandContext): Promise<CommandOutcome> {
  const removed = await removeSearxngSettings(folder);
  if (json) await print(JSON.stringify({ part: SEARXNG, removed, command: REMOVE_COMMAND }));
  else {
    await print(
      removed ? 'The settings are gone.' : `You have changed the settings, and they are left: ${folder}`,
    );
    await print('A container that runs is ended by:');
    await print(REMOVE_COMMAND, 'hint');
  }
  return removed ? 'done' : 'partly';
}

async function printParts(ctx: CommandContext): Promise<void> {
  const searxng = {
    part: SEARXNG,
    installed: await hasSearxngSettings(searxngFolder(ctx)),
    about: ABOUT_SEARXNG,
  };
  const parts = [
    ...PACKAGES.map((name) => ({
      part: name,
      installed: isOptionalPackageInstalled(name),
      about: OPTIONAL_PACKAGES[name].about,
    })),
    searxng,
  ];
  if (ctx.json) return ctx.print(JSON.stringify(parts));
  for (const { part, installed, about } of parts) {
    await ctx.print(
      `${part.padEnd(14)}${installed ? 'there ' : 'not there'}`,
      installed ? undefined : 'quiet',
    );
    await ctx.print(`  It ${about}.`);
    if (!installed) await ctx.print(`  magpie add ${part}`, 'hint');
  }
}

/** Time limit for npm. The largest optional package has 121 MB. */
const NPM_MS = 15 * 60_000;
/** Manifest for npm. Only `hnswlib-node` may run its install script, which compiles it. */
const MANIFEST = {
  private: true,
  description: 'Parts of Magpie, installed by `magpie add`.',
  allowScripts: { 'hnswlib-node': true, 'onnxruntime-node': false, protobufjs: false },
};

interface PartsLocation {
  readonly folder: string;
  readonly machine: Machine;
  readonly signal: AbortSignal;
}

/** Installs a package. Throws AppError `unavailable` with npm's last output if npm fails. */
async function installPart({ name, version }: OptionalPackage, place: PartsLocation): Promise<void> {
  await mkdir(place.folder, { recursive: true, mode: 0o700 });
  const manifest = join(place.folder, 'package.json');
  if (!existsSync(manifest)) await writeFile(manifest, `${JSON.stringify(MANIFEST, null, 2)}\n`);
  await npm(['install', '--save-exact', '--no-audit', '--no-fund', `${name}@${version}`], place);
  await dropOtherSystems(place);
}

async function removePart({ name }: OptionalPackage, place: PartsLocation): Promise<void> {
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
