import { LineCounter, parseDocument, visit } from 'yaml';
import { z } from 'zod';
import { yamlOffset } from '../../lib/text/yaml-offset.ts';
import type { GivenAttestation } from './attestation.ts';
import { ATTESTATION_FIELDS, invalidFieldError } from './create-attestation.ts';

const MAX_ENTRIES = 2000;

export interface EvidenceFileEntry {
  readonly file: string;
  readonly sha256?: string | undefined;
}

export interface AttestationEntry {
  readonly given: Omit<GivenAttestation, 'evidence'>;
  readonly files: readonly EvidenceFileEntry[];
  /** Line number of each field, from 1. The key `''` is for the attestation as a whole. */
  readonly lines: Readonly<Record<string, number>>;
}

export type ParsedAttestations =
  | { readonly entries: readonly AttestationEntry[] }
  | { readonly line: number; readonly what: string };

const named = z.strictObject({
  file: z.string().trim().min(1).max(500),
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
});
const entry = z.strictObject({
  ...ATTESTATION_FIELDS,
  at: z.string(),
  until: z.string().optional(),
  evidence: z
    .array(z.union([z.string().trim().min(1).max(500), named]))
    .max(20)
    .default([]),
});
const file = z.strictObject({ attestations: z.array(entry).max(MAX_ENTRIES) });

/** Parses a YAML file of attestations. Runs in a worker, because malicious text can take seconds. */
export function parseAttestationsText(text: string): ParsedAttestations {
  const lines = new LineCounter();
  // Keeps values as text: YAML would turn the control id 12.60 into the number 12.6, and a day into a time.
  const document = parseDocument(text, {
    lineCounter: lines,
    merge: false,
    schema: 'failsafe',
    stringKeys: true,
    logLevel: 'silent',
  });
  const [broken] = document.errors;
  if (broken) {
    const [what = ''] = broken.message.replace(/ at line .*/s, '').split('\n', 1);
    return { line: lines.linePos(broken.pos[0]).line, what };
  }
  const lineOf = (...path: (string | number)[]) =>
    lines.linePos(yamlOffset(document.contents, path)).line || 1;
  let alias: number | undefined;
  visit(document, {
    Alias: (_, node) => {
      alias = node.range?.[0] ?? 0;
      return visit.BREAK;
    },
  });
  if (alias !== undefined) {
    const what = 'references (*name) are not taken: quote what begins with *';
    return { line: lines.linePos(alias).line, what };
  }
  const value: unknown = document.toJS();
  const read = file.safeParse(value);
  if (!read.success) return mistakeOf(value, read.error.issues, lineOf);
  return {
    entries: read.data.attestations.map(({ evidence, ...given }, at) => ({
      given,
      files: evidence.map((one) => (typeof one === 'string' ? { file: one } : one)),
      lines: Object.fromEntries([
        ['', lineOf('attestations', at)],
        ...Object.keys(entry.shape).map((field) => [field, lineOf('attestations', at, field)] as const),
      ]),
    })),
  };
}

function mistakeOf(
  value: unknown,
  issues: readonly z.core.$ZodIssue[],
  lineOf: (...path: (string | number)[]) => number,
): ParsedAttestations {
  // Reports an unknown key first, because it is often a misspelling of a missing key.
  const issue = issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0];
  const path = (issue?.path ?? []).map((key) => (typeof key === 'symbol' ? '' : key));
  if (issue?.code === 'unrecognized_keys') {
    const [key = ''] = issue.keys;
    return { line: lineOf(...path, key), what: `${JSON.stringify(key)} is not a key here: ${takesAt(path)}` };
  }
  const field = path[2];
  if (field === undefined) return { line: lineOf(...path), what: takesAt(path) };
  const given = path
    .slice(0, 3)
    .reduce((at, key) => (at as Record<string, unknown> | undefined)?.[key], value);
  return { line: lineOf(...path), what: invalidFieldError(String(field), given).message };
}

function takesAt(path: readonly (string | number)[]): string {
  if (path[0] !== 'attestations') return 'the file takes the key attestations, with a list';
  if (path.length === 1) return `attestations takes a list of up to ${MAX_ENTRIES} entries`;
  if (path[2] === 'evidence') return 'evidence takes paths in the repository, or {file, sha256}';
  return `an entry takes ${Object.keys(entry.shape).join(', ')}`;
}
