import type { CommandContext, CommandOutcome } from '../../command.ts';
import { badRequestError } from '../../errors.ts';
import { formatCount } from '../../lib/text/format-count.ts';
import type { DataReport } from '../../wiring/data/check-data.ts';
import type { FilesReport } from '../../wiring/data/check-files.ts';
import { formatCounts } from '../doctor/database.ts';
import { documentedCommand } from '../documented-command.ts';
import { booleanFlag } from '../flags.ts';
import { untilStopped } from '../until-stopped.ts';

const SHOWN = 20;

export const checkStoredData = documentedCommand('kb check', {
  flags: {
    mend: booleanFlag,
  },
  effect: ({ mend }) => (mend ? 'write' : 'read'),
  run: async ({ mend }, ctx) => (await untilStopped(ctx, () => check(mend, ctx))) ?? 'stopped',
});

async function check(mend: boolean, ctx: CommandContext): Promise<CommandOutcome> {
  const { services, signal, progress } = ctx;
  const files = await services.maintenance.checkFiles(mend, { signal, progress });
  const onServer = await checkServer(mend, ctx, files);
  if (onServer) return onServer;
  const report = await services.maintenance.checkData(mend, { signal, progress });
  const left = report.problems.filter(({ lost }) => !mend || lost);
  if (ctx.json) await ctx.print(JSON.stringify({ ...bodyOf(report, mend), ...(files && { files }) }));
  else {
    await printFiles(files, mend, ctx);
    await printReport(report, mend, ctx);
    if (report.advice !== undefined) await ctx.print(report.advice, 'warning');
  }
  return left.length === 0 && isWhole(files, mend) ? 'done' : 'damaged';
}

const isWhole = (files: FilesReport | undefined, mend: boolean): boolean =>
  !files || (files.missing.length === 0 && (mend || files.left === 0));

async function printFiles(
  report: FilesReport | undefined,
  mend: boolean,
  { print }: Pick<CommandContext, 'print'>,
): Promise<void> {
  if (!report) return;
  const { place, files, missing, left } = report;
  await print(`${place}: ${formatCount(files - missing.length, 'file')} there.`);
  if (missing.length > 0) {
    const numbers = missing.slice(0, SHOWN).join(', ');
    await print(
      `lost: the bytes of ${formatCount(missing.length, 'file')} (documents ${numbers}); upload them again, or take them from a backup`,
      'alarm',
    );
  }
  if (left > 0) {
    await print(
      `${mend ? 'mended' : 'found'}: ${formatCount(left, 'object')} that no file names, from more than a day ago`,
      'warning',
    );
  }
}

async function checkServer(
  mend: boolean,
  { services, signal, progress, json, print }: CommandContext,
  files: FilesReport | undefined,
): Promise<'done' | 'damaged' | undefined> {
  const report = await services.maintenance.checkDatabase(true, { signal, progress });
  if (!report) return undefined;
  if (mend && !files) {
    throw badRequestError(
      '--mend mends the data folder: what is damaged in PostgreSQL comes from a backup of that database (docs/postgresql.md)',
    );
  }
  const { facts, counts, problems } = report;
  if (json) await print(JSON.stringify({ database: facts, counts, problems, ...(files && { files }) }));
  else {
    const state =
      facts.schema.done === 0
        ? 'no tables yet'
        : `tables of version ${facts.schema.done}, ${formatCounts(counts)}`;
    await print(`${facts.place}: PostgreSQL ${facts.version}, ${state}`);
    await printFiles(files, mend, { print });
    if (problems.length === 0) await print('Nothing is wrong there.');
    for (const one of problems) await printProblem(one, false, { print });
  }
  return problems.length === 0 && isWhole(files, mend) ? 'done' : 'damaged';
}

const bodyOf = ({ folder, problems, kept, shrinks, advice }: DataReport, mend: boolean) => ({
  folder,
  problems: problems.map((one) => ({ ...one, lost: one.lost === true, mended: mend && one.lost !== true })),
  ...(kept !== undefined && { kept }),
  ...(shrinks && { shrinks }),
  ...(advice !== undefined && { advice }),
});

async function printReport(
  { folder, present, problems, kept, shrinks }: DataReport,
  mend: boolean,
  ctx: CommandContext,
): Promise<void> {
  const { print } = ctx;
  if (!present) return print(`There is no database in ${folder} yet.`);
  if (shrinks)
    await print(
      'The database was written again: from now on its file shrinks where something is deleted.',
      'hint',
    );
  if (problems.length === 0) return print(`Nothing is wrong in ${folder}.`);
  for (const one of problems) await printProblem(one, mend, ctx);
  if (kept !== undefined)
    await print(`The damaged file is kept as ${kept}; delete it when nothing is missed.`, 'hint');
  if (!mend) {
    await print(
      'magpie kb check --mend mends what can be mended; end every other Magpie on this folder first.',
      'hint',
    );
  } else if (problems.some(({ lost }) => lost)) {
    await print(
      'What is lost comes from a backup: magpie restore reads one of the whole folder (magpie backup) into a new data folder; ' +
        'magpie kb import adds what is missing from an export (magpie kb export), and keeps the rest.',
      'hint',
    );
  }
}

async function printProblem(
  { problem, ids = [], lost }: DataReport['problems'][number],
  mend: boolean,
  { print }: Pick<CommandContext, 'print'>,
): Promise<void> {
  const what = !mend ? 'found' : lost ? 'lost' : 'mended';
  await print(`${what}: ${problem}`, lost ? 'alarm' : 'warning');
  for (const id of ids.slice(0, SHOWN)) await print(`  ${id}`);
  if (ids.length > SHOWN) await print(`  and ${ids.length - SHOWN} more, which --json lists`);
}
