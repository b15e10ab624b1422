import { existsSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { z } from 'zod';
import type { CommandContext } from '../../command.ts';
import { AppError, badRequestError, unavailableError } from '../../errors.ts';
import { describeFileError } from '../../lib/file-error.ts';
import { describeRepositoryOnlyOptions } from '../../lib/repository-only-options.ts';
import type { Baseline, GapKind, Scan, ScanCounts } from '../../security/types.ts';
import { documentedCommand } from '../documented-command.ts';
import { booleanFlag, choiceFlag, textFlag, wordFlag } from '../flags.ts';
import { chooseScanFormat, printScan, SCAN_FORMATS } from './scan-output.ts';

/** Content that a scan may skip. A test compares this list with the kinds that scans report. */
const GAP_KINDS = [
  'large-files',
  'limits',
  'unreadable',
  'ignored',
  'submodules',
  'lfs',
  'links',
  'history',
  'languages',
  'unread-code',
  'unread-configuration',
  'lockfiles',
  'servers',
  'advisories',
] as const satisfies readonly GapKind[];
const SEVERITIES = ['critical', 'high', 'medium', 'low', 'info'] as const;
const MAX_FILE_BYTES = 200_000_000;

const FLAGS = {
  repository: textFlag(2000),
  package: textFlag(500),
  agents: booleanFlag,
  branch: textFlag(250),
  deep: booleanFlag,
  dependencies: booleanFlag,
  format: choiceFlag(SCAN_FORMATS).describe(
    `How findings are written: ${SCAN_FORMATS.join(', ')}; table when left out, json with --json.`,
  ),
  failOn: choiceFlag(SEVERITIES).describe(`Severity that fails: ${SEVERITIES.join(', ')}.`),
  accept: z
    .array(z.enum(GAP_KINDS))
    .default([])
    .describe(`What need not be scanned with --fail-on, one a flag: ${GAP_KINDS.join(', ')}.`),
  diff: textFlag(250),
  baseline: wordFlag,
  vex: z.array(z.string().min(1).max(2000)).default([]),
  rules: textFlag(2000),
  verify: booleanFlag,
};

export const scanRepository = documentedCommand('scan', {
  effect: () => 'read',
  makesFolder: () => true,
  words: ['repository'],
  failedExit: 3,
  flags: FLAGS,
  async run(input, ctx) {
    const { branch, deep, dependencies, format, failOn, accept, baseline, diff, rules, verify, vex } = input;
    const written = chooseScanFormat(format, ctx);
    const place = placeOf(input);
    const { caller, services, signal, progress } = ctx;
    const room = await services.security();
    const known = baseline === undefined ? undefined : await baselineOf(baseline, ctx);
    const statements =
      vex.length === 0 ? undefined : (await Promise.all(vex.map((file) => readVexFile(file, ctx)))).flat();
    const own = rules === undefined ? undefined : await room.readRules(resolve(rules), signal);
    const request = {
      repository: place.repository,
      deep,
      dependencies: dependencies || place.contents !== undefined,
      branch,
    };
    const watch = { signal, progress: ({ message }: { message: string }) => progress(message) };
    const scan = await room.scan(
      caller.id,
      request,
      {
        anyFolder: true,
        assistantsIn: input.agents ? [process.cwd()] : undefined,
        baseline: known,
        since: diff,
        contents: place.contents,
        rules: own,
        verify,
        vex: statements,
      },
      watch,
    );
    await printScan(scan, written, ctx);
    if (failOn === undefined) return 'done';
    const counted = SEVERITIES.slice(0, SEVERITIES.indexOf(failOn) + 1);
    if (counted.some((severity) => (scan.counts?.[severity] ?? 0) > 0)) return 'found';
    const missed = missedBy(scan, accept);
    if (missed.length === 0) return 'done';
    throw unavailableError(
      `nothing is found at or above ${failOn}, but not everything was scanned: ${missed.join('; ')}`,
    );
  },
});

/** Returns the repository or package to scan ('' for assistants). Throws `bad_request` for more than one. */
function placeOf({ repository, package: named, ...others }: z.output<z.ZodObject<typeof FLAGS>>) {
  const { agents, branch, deep, dependencies, diff, rules, verify } = others;
  const given = Object.entries({ repository, package: named, agents }).filter(([, value]) => value);
  if (given.length > 1) {
    const names = given.map(([name]) => name).join(' and ');
    throw badRequestError(
      `magpie scan takes one of a repository, --package and --agents: ${names} are given`,
    );
  }
  if (named === undefined && !agents) {
    if (repository === undefined)
      throw badRequestError('magpie scan takes a git URL, a folder or a file: magpie scan .');
    return { repository: existsSync(repository) ? resolve(repository) : repository };
  }
  const problem = describeRepositoryOnlyOptions(agents ? '--agents' : 'a package', {
    '--branch': branch,
    '--deep': agents ? undefined : deep,
    '--dependencies': dependencies,
    '--diff': diff,
    '--rules': agents ? undefined : rules,
    '--verify': verify,
  });
  if (problem !== undefined) throw badRequestError(problem);
  return { repository: '', contents: named === undefined ? undefined : { package: named } };
}

function missedBy({ report }: Scan, accepted: readonly string[]): string[] {
  const failed = report?.scanners.filter(({ ok }) => !ok) ?? [];
  const gaps = report?.gaps?.filter(({ kind }) => !accepted.includes(kind)) ?? [];
  const kinds = [...new Set(gaps.map(({ kind }) => `--accept ${kind}`))];
  return [
    ...failed.map(({ name, reason }) => `the scanner ${name} failed (${reason ?? 'for no known reason'})`),
    ...gaps.map(({ what, fix }) => `${what} (${fix})`),
    ...(kinds.length > 0 ? [`to accept a gap, add ${kinds.join(' ')}`] : []),
  ];
}

async function readVexFile(path: string, { services }: CommandContext) {
  const room = await services.security();
  const text = await readSmallFile(path).catch((cause: unknown) => {
    if (cause instanceof AppError) throw cause;
    throw badRequestError(`${path} cannot be read: ${describeFileError(cause)}`);
  });
  return room.readVex(text, path);
}

async function readSmallFile(path: string): Promise<string> {
  if (statSync(path).size > MAX_FILE_BYTES)
    throw badRequestError(`${path} is over ${MAX_FILE_BYTES / 1e6} MB`);
  return readFile(path, 'utf8');
}

async function baselineOf(named: string, { caller, services }: CommandContext): Promise<Baseline> {
  const room = await services.security();
  let text: string;
  try {
    text = await readSmallFile(named);
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') {
      const kept = (await room.listScans(caller.id)).some(({ id }) => id === named);
      if (kept) return room.baselineOfScan(caller.id, named);
      throw badRequestError(
        `the baseline ${named} is neither a file nor the id of a kept scan: magpie scans lists those`,
      );
    }
    throw badRequestError(`the baseline ${named} cannot be read: ${describeFileError(cause)}`);
  }
  return room.baselineOfFile(text, named);
}

export const listScans = documentedCommand('scans', {
  effect: ({ remove }) => (remove ? 'destroy' : 'read'),
  words: ['id'],
  flags: {
    id: z.string().min(1).max(100).optional(),
    format: choiceFlag(SCAN_FORMATS).describe(
      `How the scan is written: ${SCAN_FORMATS.join(', ')}; table when left out, json with --json.`,
    ),
    remove: booleanFlag,
  },
  async run({ id, format, remove }, ctx) {
    const { caller, services, print, json } = ctx;
    const written = chooseScanFormat(format, ctx);
    const room = await services.security();
    if (id === undefined && (remove || format !== undefined)) {
      throw badRequestError(
        `${remove ? '--remove' : `--format ${format}`} takes the id of a scan: magpie scans lists them`,
      );
    }
    if (id !== undefined && remove) {
      await room.removeScan(caller.id, id);
      await print(json ? JSON.stringify({ removed: id }) : `The scan ${id} is removed.`);
    } else if (id !== undefined) {
      await printScan(await room.readScan(caller.id, id), written, ctx);
    } else await printList(await room.listScans(caller.id), ctx);
  },
});

async function printList(scans: readonly Scan[], { print, json }: CommandContext): Promise<void> {
  if (json) return print(JSON.stringify(scans));
  if (scans.length === 0) return print('No scan is kept. magpie scan <repository> makes one.');
  for (const { id, state, createdAt, request, counts, reason, progress } of scans) {
    const { repository, branch } = request;
    const when = new Date(createdAt).toISOString().slice(0, 16).replace('T', ' ');
    const worst = counts ? countsText(counts) : (reason ?? progress?.message ?? '');
    await print(
      `${id}  ${when}  ${state.padEnd(9)}  ${repository}${branch ? ` at ${branch}` : ''}  ${worst}`,
    );
  }
}

function countsText({ suppressed, ...severities }: ScanCounts): string {
  const named = Object.entries(severities).filter(([, count]) => count > 0);
  const told = named.map(([name, count]) => `${count} ${name}`);
  if (suppressed > 0) told.push(`${suppressed} suppressed`);
  return told.join(', ') || 'nothing found';
}
