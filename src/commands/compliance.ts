import { statSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { z } from 'zod';
import { type CommandContext, defineCommand } from '../command.ts';
import type { Compliance, Format } from '../compliance/types.ts';
import { AppError } from '../errors.ts';

const ACTIONS = ['list', 'standards', 'report', 'verify', 'remove'] as const;
const FORMATS = ['json', 'markdown', 'html', 'pdf', 'oscal'] as const satisfies readonly Format[];
/** Most bytes of a report that is verified. */
const MAX_REPORT_BYTES = 200_000_000;

/** `magpie compliance`: lists checks and standards, writes reports, and verifies them. */
export const complianceCommand = defineCommand({
  name: 'compliance',
  effect: ({ action }) => (action === 'remove' ? 'destroy' : 'read'),
  // Neither asks what was checked here; the key that seals reports is made with the folder.
  makesFolder: ({ action }) => action === 'standards' || action === 'verify',
  summary: 'Lists compliance checks and standards, writes reports, and verifies them.',
  description:
    'Lists your compliance checks or the standards there are, writes the report of a check, verifies a report file, ' +
    'or removes a check. `magpie call checkCompliance` starts one. Verifying ends with exit code 1 when a report is ' +
    'not as this installation made it, other failures end with 3.',
  words: ['action', 'name'],
  failedExit: 3,
  input: z.object({
    action: z
      .enum(ACTIONS)
      .default('list')
      .describe(`What to do: ${ACTIONS.join(', ')}.`),
    name: z.string().min(1).max(4000).optional().describe('Id of a check; for verify, a file.'),
    format: z
      .enum(FORMATS)
      .optional()
      .describe(
        `Form of the report: ${FORMATS.join(', ')}. Default: by the ending of --output, else markdown.`,
      ),
    output: z.string().min(1).optional().describe('File that the report is written to.'),
  }),
  examples: [
    ['magpie call checkCompliance --standards pci-dss --scope .', 'checks the folder you are in'],
    ['magpie compliance', 'the checks that are stored'],
    ['magpie compliance report 3f1c5f0a9b7d4e2a8c6b1d0e --format pdf --output report.pdf', 'for an auditor'],
    ['magpie compliance verify report.pdf', 'whether it is unchanged'],
  ],
  async run({ action, name, format, output }, ctx) {
    const room = await ctx.services.compliance();
    if (action === 'list') await list(room, ctx);
    else if (action === 'standards') await standards(room, ctx);
    else if (name === undefined) {
      const what = action === 'verify' ? 'a file' : 'the id of a check: magpie compliance lists them';
      throw new AppError('bad_request', `magpie compliance ${action} takes ${what}`);
    } else if (action === 'verify') return verify(room, name, ctx);
    else if (action === 'remove') {
      await room.removeCheck(ctx.caller.id, name);
      await ctx.print(ctx.json ? JSON.stringify({ removed: name }) : `The check ${name} is removed.`);
    } else await report(room, name, format ?? formatOf(output), output, ctx);
    return 'done';
  },
});

async function list(room: Compliance, { caller, print, json }: CommandContext): Promise<void> {
  const checks = await room.listChecks(caller.id);
  if (json) return print(JSON.stringify(checks));
  if (checks.length === 0) {
    return print(
      'There are no checks yet: magpie call checkCompliance --standards <id> --scope <repository> starts one.',
    );
  }
  for (const { id, createdAt, scope, standards: of, counts } of checks) {
    const when = new Date(createdAt).toISOString().slice(0, 16).replace('T', ' ');
    const summary = `${counts.fail} failed, ${counts.pass} passed, ${counts.manual} for a person, ${counts.not_assessed} not assessed`;
    await print(`${id}  ${when}  ${scope}  ${of.join(', ')}  ${summary}`);
  }
}

async function standards(room: Compliance, { print, json }: CommandContext): Promise<void> {
  const all = room.listStandards();
  if (json) return print(JSON.stringify(all));
  for (const { id, title, edition } of all) await print(`${id.padEnd(18)}  ${title}, ${edition}`);
}

/** By endings of files; the longer ones first. */
const ENDINGS: readonly (readonly [ending: string, format: Format])[] = [
  ['.oscal.json', 'oscal'],
  ['.json', 'json'],
  ['.html', 'html'],
  ['.htm', 'html'],
  ['.pdf', 'pdf'],
];

function formatOf(output = ''): Format {
  return ENDINGS.find(([ending]) => output.toLowerCase().endsWith(ending))?.[1] ?? 'markdown';
}

async function report(
  room: Compliance,
  id: string,
  format: Format,
  output: string | undefined,
  { caller, print, json }: CommandContext,
): Promise<void> {
  const { content } = await room.writeReport(caller.id, id, format);
  if (output === undefined) {
    if (typeof content === 'string') {
      for (const line of content.trimEnd().split('\n')) await print(line);
      return;
    }
    throw new AppError(
      'bad_request',
      `--output is missing: ${format} is written to a file, such as report.${format}`,
    );
  }
  try {
    await writeFile(output, content, { mode: 0o600 });
  } catch (cause) {
    throw new AppError(
      'bad_request',
      `--output ${output} cannot be written: ${reasonOf(cause, 'its folder is not there')}`,
      {
        cause,
      },
    );
  }
  await print(json ? JSON.stringify({ written: output }) : `The report is in ${output}.`);
}

async function verify(room: Compliance, file: string, { caller, print, json }: CommandContext) {
  const verdict = await room.verifyReport(caller.id, await contentOf(file));
  const good = verdict.signed && verdict.evidence !== 'differs' && verdict.kept !== false;
  if (json) await print(JSON.stringify(verdict));
  else await print(`${file}, check ${verdict.id}: ${verdict.reason}.`, good ? undefined : 'alarm');
  return good ? 'done' : 'found';
}

async function contentOf(file: string): Promise<Buffer> {
  try {
    if (statSync(file).size > MAX_REPORT_BYTES)
      throw new AppError('bad_request', `${file} is over ${MAX_REPORT_BYTES / 1e6} MB`);
    return await readFile(file);
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw new AppError(
      'bad_request',
      `the file ${file} cannot be read: ${reasonOf(cause, 'it is not there; check the path')}`,
      {
        cause,
      },
    );
  }
}

/** Why a file could not be used, in words where they are known. */
function reasonOf(cause: unknown, absent: string): string {
  const { code, message } = cause as NodeJS.ErrnoException;
  return code === 'ENOENT' ? absent : code === 'EISDIR' ? 'it is a folder' : message;
}
