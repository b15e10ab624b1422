import { createReadStream, statSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { z } from 'zod';
import type { CommandContext, CommandOutcome } from '../command.ts';
import type {
  AttachedEvidence,
  Attestation,
  Compliance,
  Format,
  GivenAttestation,
  Judgement,
} from '../compliance/types.ts';
import { AppError, asAppError, badRequestError } from '../errors.ts';
import { REPORT_FILES, REPORT_FORMATS } from '../lib/compliance/report-formats.ts';
import { digestStream } from '../lib/digest-stream.ts';
import { describeFileError } from '../lib/file-error.ts';
import { documentedCommand } from './documented-command.ts';
import { choiceFlag, textFlag, wordFlag } from './flags.ts';

const ACTIONS = [
  'list',
  'standards',
  'report',
  'key',
  'verify',
  'remove',
  'attest',
  'attestations',
  'retract',
] as const;
const MAX_REPORT_BYTES = 200_000_000;
const MAX_SMALL_BYTES = 10_000;
const SIGNED = '.sig';

const VERDICTS = ['pass', 'fail', 'not_applicable', 'exception'] as const satisfies readonly Judgement[];
const MAX_FILE_BYTES = 10_000_000;

const ATTEST_INPUT = {
  control: z.string().min(1).max(100).optional(),
  scope: z.string().trim().min(1).max(2000).optional(),
  verdict: z
    .enum(VERDICTS)
    .optional()
    .describe(`For attest: ${VERDICTS.join(', ')}.`),
  by: z.string().max(200).optional(),
  why: z.string().max(2000).optional(),
  at: z.string().max(40).optional(),
  until: z.string().max(40).optional(),
  link: z.string().max(2000).optional(),
  evidence: z.array(z.string().min(1)).max(20).optional(),
};

export const complianceCommand = documentedCommand('compliance', {
  effect: ({ action }) => {
    if (action === 'remove' || action === 'retract') return 'destroy';
    return action === 'attest' ? 'write' : 'read';
  },
  // Only `standards`, `verify` and `key` may create the data folder. `key` stores the signing key there.
  makesFolder: ({ action }) => action === 'standards' || action === 'verify' || action === 'key',
  words: ['action', 'name', 'control'],
  failedExit: 3,
  flags: {
    action: z
      .enum(ACTIONS)
      .default('list')
      .describe(`What to do: ${ACTIONS.join(', ')}.`),
    name: textFlag(4000),
    ...ATTEST_INPUT,
    format: choiceFlag(REPORT_FORMATS).describe(
      `Form of the report: ${REPORT_FORMATS.join(', ')}. Default: by the ending of --output, else markdown.`,
    ),
    output: z.string().min(1).optional(),
    key: wordFlag,
    signature: wordFlag,
  },
  async run({ action, name, format, output, key, signature, ...judgement }, ctx) {
    const room = await ctx.services.compliance();
    if (action === 'list') await list(room, ctx);
    else if (action === 'standards') await standards(room, ctx);
    else if (action === 'key') await writeKey(room, output, ctx);
    else if (action === 'attest') await attest(room, { standard: name, ...judgement }, ctx);
    else if (action === 'attestations') return listAttestations(room, name, ctx);
    else if (action === 'retract') await retractStoredAttestation(room, name, ctx);
    else if (name === undefined) {
      const what = action === 'verify' ? 'a file' : 'the id of a check: magpie compliance lists them';
      throw badRequestError(`magpie compliance ${action} takes ${what}`);
    } else if (action === 'verify') return verify(room, { report: name, key, signature }, ctx);
    else if (action === 'remove') {
      await room.removeCheck(ctx.caller.id, name);
      await ctx.print(ctx.json ? JSON.stringify({ removed: name }) : `The check ${name} is removed.`);
    } else await report(room, name, format ?? formatOf(output), output, ctx);
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
    const summary = `${counts.fail} failed, ${counts.pass} passed, ${counts.attested} attested, ${counts.exception} excepted, ${counts.no_findings} without findings, ${counts.not_applicable} not applicable, ${counts.manual} for a person, ${counts.not_assessed} not assessed`;
    await print(`${id}  ${when}  ${scope}  ${of.join(', ')}  ${summary}`);
  }
}

async function standards(room: Compliance, { print, json }: CommandContext): Promise<void> {
  const all = room.listStandards();
  if (json) return print(JSON.stringify(all));
  for (const { id, title, edition } of all) await print(`${id.padEnd(18)}  ${title}, ${edition}`);
}

/** Takes the last format that fits: `.oscal.json` also ends in `.json`. */
function formatOf(output = ''): Format {
  const name = output.toLowerCase();
  const fitting = REPORT_FORMATS.findLast((one) => name.endsWith(`.${REPORT_FILES[one].ending}`));
  return fitting ?? (name.endsWith('.htm') ? 'html' : 'markdown');
}

async function report(
  room: Compliance,
  id: string,
  format: Format,
  output: string | undefined,
  { caller, print, json }: CommandContext,
): Promise<void> {
  const { content, signature } = await room.writeReport(caller.id, id, format);
  if (output === undefined) {
    if (typeof content === 'string') {
      for (const line of content.trimEnd().split('\n')) await print(line);
      return;
    }
    throw badRequestError(`--output is missing: ${format} is written to a file, such as report.${format}`);
  }
  const signed = `${output}${SIGNED}`;
  await write(output, content);
  await write(signed, signature);
  await print(
    json
      ? JSON.stringify({ written: output, signature: signed })
      : `The report is in ${output}, its signature in ${signed}.`,
  );
}

async function writeKey(room: Compliance, output: string | undefined, { print, json }: CommandContext) {
  const pem = room.publicKey();
  if (output === undefined) return print(json ? JSON.stringify({ key: pem }) : pem.trimEnd());
  await write(output, pem);
  return print(json ? JSON.stringify({ written: output }) : `The public key is in ${output}.`);
}

async function write(output: string, content: string | Uint8Array): Promise<void> {
  try {
    await writeFile(output, content, { mode: 0o600 });
  } catch (cause) {
    throw badRequestError(
      `--output ${output} cannot be written: ${describeFileError(cause, 'its folder is not there')}`,
      { cause },
    );
  }
}

async function verify(
  room: Compliance,
  {
    report,
    key,
    signature = `${report}${SIGNED}`,
  }: { readonly report: string; readonly key: string | undefined; readonly signature: string | undefined },
  { print, json }: CommandContext,
): Promise<'done' | 'found'> {
  const content = await contentOf(report, MAX_REPORT_BYTES);
  const signed = await contentOf(
    signature,
    MAX_SMALL_BYTES,
    'its signature is not there; --signature names it',
  );
  const pem = key === undefined ? undefined : (await contentOf(key, MAX_SMALL_BYTES)).toString('utf8');
  const verdict = room.verifyReport(content, signed, pem);
  const good = verdict.state === 'genuine';
  if (json) await print(JSON.stringify(verdict));
  else await print(`${report}: ${verdict.reason}.`, good ? undefined : 'alarm');
  return good ? 'done' : 'found';
}

async function contentOf(file: string, most: number, absent?: string): Promise<Buffer> {
  try {
    if (statSync(file).size > most) {
      throw badRequestError(`${file} is over ${most / 1e6} MB: it takes a smaller file`);
    }
    return await readFile(file);
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw badRequestError(`the file ${file} cannot be read: ${describeFileError(cause, absent)}`, { cause });
  }
}

type AttestInput = {
  readonly [Key in keyof typeof ATTEST_INPUT]?: z.output<(typeof ATTEST_INPUT)[Key]> | undefined;
} & { readonly standard?: string | undefined };

async function attest(
  room: Compliance,
  { scope, evidence = [], ...given }: AttestInput,
  { caller, services, print, json }: CommandContext,
): Promise<void> {
  if (given.standard === undefined || given.control === undefined)
    throw badRequestError(
      'magpie compliance attest takes a standard and a control: magpie compliance attest pci-dss 12.6.1',
    );
  if (scope === undefined)
    throw badRequestError(
      '--scope is missing: it takes the repository, folder or monitor that the judgement is about, or all for every check',
    );
  const files = await Promise.all(evidence.map(attachedFile));
  const one = await room.attest(
    caller.id,
    { ...(given as GivenAttestation), evidence: files },
    await nameOf(scope, caller.id, services),
    'magpie compliance attest',
  );
  await print(json ? JSON.stringify(one) : `Kept as ${one.id}: ${lineOf(one)}`);
}

async function listAttestations(
  room: Compliance,
  file: string | undefined,
  { caller, print, json, signal }: CommandContext,
): Promise<CommandOutcome> {
  let all: readonly Attestation[];
  if (file === undefined) all = await room.listAttestations(caller.id);
  else {
    const text = await contentOf(file, MAX_FILE_BYTES);
    const root = dirname(dirname(resolve(file)));
    const read = await room.readAttestations(
      root,
      async (path) => {
        if (path === FILE) return text;
        const inside = resolve(root, path);
        return inside.startsWith(`${root}/`) ? readFile(inside).catch(() => undefined) : undefined;
      },
      signal,
    );
    if (read?.trouble !== undefined) {
      const trouble = read.trouble.replace(FILE, file);
      await print(json ? JSON.stringify({ trouble }) : `${trouble}.`, 'alarm');
      return 'found';
    }
    all = read?.attestations ?? [];
  }
  if (json) await print(JSON.stringify(all));
  else if (all.length === 0)
    await print('There are no attestations yet: magpie compliance attest <standard> <control> keeps one.');
  else for (const one of all) await print(`${one.id}  ${lineOf(one)}`);
  return 'done';
}

const FILE = '.magpie/attestations.yaml';

async function retractStoredAttestation(
  room: Compliance,
  id: string | undefined,
  { caller, print, json }: CommandContext,
): Promise<void> {
  if (id === undefined)
    throw badRequestError(
      'magpie compliance retract takes the id of an attestation: magpie compliance attestations lists them',
    );
  await room.retractAttestation(caller.id, id);
  await print(json ? JSON.stringify({ retracted: id }) : `The attestation ${id} is removed.`);
}

function lineOf({ standard, control, verdict, by, at, until, scope, why, evidence }: Attestation): string {
  const day = (time: number) => new Date(time).toISOString().slice(0, 10);
  // `until` is the end of the last valid day. A millisecond earlier is still on that day.
  const end = until === undefined ? '' : `, until ${day(until - 1)}`;
  const files = evidence.length === 0 ? '' : `  [${evidence.map(({ name }) => name).join(', ')}]`;
  return `${standard} ${control}  ${verdict}  by ${by} on ${day(at)}${end}, for ${scope}: ${why}${files}`;
}

async function nameOf(scope: string, owner: string, services: CommandContext['services']): Promise<string> {
  if (/^all$/i.test(scope)) return 'all';
  if (statSync(scope, { throwIfNoEntry: false })?.isDirectory()) return resolve(scope);
  try {
    return (await (await services.monitor()).getMonitor(owner, scope)).id;
  } catch (error) {
    if (asAppError(error).code === 'not_found' || asAppError(error).code === 'bad_request') return scope;
    throw error;
  }
}

async function attachedFile(path: string): Promise<AttachedEvidence> {
  try {
    return { name: basename(path), ...(await digestStream(createReadStream(path))) };
  } catch (cause) {
    throw badRequestError(`--evidence ${path} cannot be read: ${describeFileError(cause)}`, { cause });
  }
}
