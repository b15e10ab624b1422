import { createHash } from 'node:crypto';
import { createReadStream, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import type { CommandContext, CommandOutcome } from '../command.ts';
import type {
  AttachedFile,
  Attestation,
  Compliance,
  GivenAttestation,
  Judgement,
} from '../compliance/types.ts';
import { AppError, asAppError } from '../errors.ts';
import { describeFileError } from '../lib/file-error.ts';

const VERDICTS = ['pass', 'fail', 'not_applicable', 'exception'] as const satisfies readonly Judgement[];
const MAX_FILE_BYTES = 10_000_000;

export const ATTEST_INPUT = {
  control: z.string().min(1).max(100).optional().describe('For attest: the id of a control.'),
  scope: z
    .string()
    .trim()
    .min(1)
    .max(2000)
    .optional()
    .describe('For attest: the repository, folder or monitor that it is about, or all.'),
  verdict: z
    .enum(VERDICTS)
    .optional()
    .describe(`For attest: ${VERDICTS.join(', ')}.`),
  by: z.string().max(200).optional().describe('For attest: the name of the person who judges.'),
  why: z.string().max(2000).optional().describe('For attest: the reason.'),
  at: z.string().max(40).optional().describe('For attest: the day of the judgement. Default: now.'),
  until: z.string().max(40).optional().describe('For attest: the last day on which it counts.'),
  link: z.string().max(2000).optional().describe('For attest: an address with more about it.'),
  evidence: z
    .array(z.string().min(1))
    .max(20)
    .optional()
    .describe('For attest: a file that shows it, kept by its SHA-256.'),
};

type Asked = {
  readonly [Key in keyof typeof ATTEST_INPUT]?: z.output<(typeof ATTEST_INPUT)[Key]> | undefined;
} & {
  readonly standard?: string | undefined;
};

export async function attest(
  room: Compliance,
  { scope, evidence = [], ...given }: Asked,
  { caller, services, print, json }: CommandContext,
): Promise<void> {
  if (given.standard === undefined || given.control === undefined)
    throw new AppError(
      'bad_request',
      'magpie compliance attest takes a standard and a control: magpie compliance attest pci-dss 12.6.1',
    );
  if (scope === undefined)
    throw new AppError(
      'bad_request',
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

export async function listAttestations(
  room: Compliance,
  file: string | undefined,
  { caller, print, json, signal }: CommandContext,
): Promise<CommandOutcome> {
  let all: readonly Attestation[];
  if (file === undefined) all = await room.listAttestations(caller.id);
  else {
    const text = await contentOf(file);
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

export async function retractStoredAttestation(
  room: Compliance,
  id: string | undefined,
  { caller, print, json }: CommandContext,
): Promise<void> {
  if (id === undefined)
    throw new AppError(
      'bad_request',
      'magpie compliance retract takes the id of an attestation: magpie compliance attestations lists them',
    );
  await room.retractAttestation(caller.id, id);
  await print(json ? JSON.stringify({ retracted: id }) : `The attestation ${id} is removed.`);
}

function lineOf({ standard, control, verdict, by, at, until, scope, why, evidence }: Attestation): string {
  const day = (time: number) => new Date(time).toISOString().slice(0, 10);
  // `until` is the end of the last valid day; a millisecond less is a time on this day.
  const end = until === undefined ? '' : `, until ${day(until - 1)}`;
  const files = evidence.length === 0 ? '' : `  [${evidence.map(({ name }) => name).join(', ')}]`;
  return `${standard} ${control}  ${verdict}  by ${by} on ${day(at)}${end}, for ${scope}: ${why}${files}`;
}

/** Converts a scope to its form in compliance checks: the absolute path of a folder, or the id of a monitor. */
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

async function attachedFile(path: string): Promise<AttachedFile> {
  const hash = createHash('sha256');
  let bytes = 0;
  try {
    await pipeline(createReadStream(path), async (chunks) => {
      for await (const chunk of chunks as AsyncIterable<Buffer>) {
        bytes += chunk.length;
        hash.update(chunk);
      }
    });
  } catch (cause) {
    throw new AppError('bad_request', `--evidence ${path} cannot be read: ${describeFileError(cause)}`, {
      cause,
    });
  }
  return { name: basename(path), sha256: hash.digest('hex'), bytes };
}

async function contentOf(path: string): Promise<Uint8Array> {
  try {
    if (statSync(path).size > MAX_FILE_BYTES) throw new Error(`it is over ${MAX_FILE_BYTES / 1e6} MB`);
    return await readFile(path);
  } catch (cause) {
    throw new AppError('bad_request', `the file ${path} cannot be read: ${describeFileError(cause)}`, {
      cause,
    });
  }
}
