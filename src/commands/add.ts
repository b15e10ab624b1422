import { join, resolve } from 'node:path';
import { type CommandContext, type CommandOutcome, defineCommand } from '../command.ts';
import { badRequestError } from '../errors.ts';
import {
  isOptionalPackageInstalled,
  OPTIONAL_PACKAGES,
  type OptionalPackageName,
  optionalPackagesFolder,
} from '../lib/optional-packages.ts';
import { commandFlags, commandHelp } from './command-help.ts';
import { booleanFlag, choiceFlag, wordFlag } from './flags.ts';
import { installPart, removePart } from './parts/npm.ts';
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

export const addParts = defineCommand({
  ...commandHelp('add'),
  words: ['part'],
  input: commandFlags('add', {
    part: choiceFlag(NAMES).describe(`One of ${NAMES.join(', ')}.`),
    remove: booleanFlag,
    to: wordFlag.describe(`Folder of the settings of ${SEARXNG}, in place of the data folder.`),
    replace: booleanFlag.describe(
      `Writes the settings of ${SEARXNG} again where you have changed them; the old ones are kept.`,
    ),
  }),
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
    return 'done';
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
