import { setImmediate } from 'node:timers/promises';
import { parseDocument } from 'yaml';
import type { RawFinding } from './finding.ts';
import { fitsGlob, fitsPart } from './glob.ts';

/** The file at a tree's root that says what does not count there. */
export const IGNORE_FILE = '.magpieignore';

const MOST_BYTES = 262_144;
const MOST_ENTRIES = 1000;
/** Characters of a rule's name. */
const MOST_RULE = 200;
/** Entries between two pauses: at most some 50 ms. */
const PAUSE = 5;

/** What one entry of the file excuses. */
export interface Excuse {
  readonly rule: string;
  readonly path: string;
  readonly reason: string;
}

/** The file, read: entries that hold, and what is wrong with those that do not. */
export interface Excuses {
  readonly excuses: readonly Excuse[];
  readonly faults: readonly RawFinding[];
}

interface Entry {
  readonly line: number;
  readonly rule: string;
  readonly path: string;
  readonly reason: string;
  readonly expires: string;
}

/**
 * Reads the file: lines of `rule path reason [expires=2027-01-31]`, or YAML, a list of `rule`, `path`, `reason` and
 * `expires`. An entry without a reason, past its day (in UTC) or not understood excuses nothing, and is a finding of
 * its own. `now` in milliseconds.
 */
export function readIgnoreFile(text: string, now: number): Excuses {
  if (text.length > MOST_BYTES) return { excuses: [], faults: [fault('unusable', undefined, TOO_LONG)] };
  const excuses: Excuse[] = [];
  const faults: RawFinding[] = [];
  const entries = /^[ \t]*(?:-\s|[[{]|ignore\s*:)/m.test(text) ? fromYaml(text) : fromLines(text);
  if (typeof entries === 'string') return { excuses, faults: [fault('unusable', undefined, entries)] };
  if (entries.length > MOST_ENTRIES) faults.push(fault('unusable', undefined, TOO_LONG));
  for (const entry of entries.slice(0, MOST_ENTRIES)) {
    const { line, rule, path, reason, expires } = entry;
    const day = expires === '' ? undefined : dayOf(expires);
    if (rule === '' || path === '' || rule.length > MOST_RULE) {
      faults.push(
        fault(
          'unusable',
          line,
          `The entry names no rule or no path, or a rule of over ${MOST_RULE} characters.`,
        ),
      );
    } else if (reason === '') {
      faults.push(fault('no-reason', line, `The entry for ${rule} gives no reason, so it does not hold.`));
    } else if (expires !== '' && day === undefined) {
      faults.push(fault('unusable', line, `The entry for ${rule} ends on no day of the form 2027-01-31.`));
    } else if (day !== undefined && now >= day + 86_400_000) {
      faults.push(
        fault('expired', line, `The entry for ${rule} ended on ${expires}, so it no longer holds.`),
      );
    } else excuses.push({ rule, path, reason });
  }
  return { excuses, faults };
}

const TOO_LONG = `The file is over ${MOST_BYTES} characters or ${MOST_ENTRIES} entries; what is beyond is not read.`;

/** Whether a rule as a person writes it (`secrets/*`, an advisory's id) means this finding. */
export function meansRule(rule: string, { id, aliases = [] }: RawFinding): boolean {
  const wanted = rule.toLowerCase();
  return [id, ...aliases].some((one) => fitsPart(wanted, one.toLowerCase()));
}

/** The entries for a path. It pauses now and then: a hostile file's may take seconds, and others wait meanwhile. */
export async function excusesAt(
  path: string,
  excuses: readonly Excuse[],
  signal: AbortSignal,
): Promise<Excuse[]> {
  const fitting: Excuse[] = [];
  for (const [at, excuse] of excuses.entries()) {
    if (at % PAUSE === PAUSE - 1) await setImmediate();
    signal.throwIfAborted();
    if (fitsGlob(excuse.path, path)) fitting.push(excuse);
  }
  return fitting;
}

/** Midnight of a day in UTC; undefined for what is none. */
function dayOf(text: string): number | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined;
  const day = Date.parse(`${text}T00:00:00Z`);
  return Number.isNaN(day) ? undefined : day;
}

function fromLines(text: string): Entry[] {
  const entries: Entry[] = [];
  text.split('\n').forEach((raw, index) => {
    const words = raw.trim().split(/\s+/);
    if (words[0] === '' || words[0]?.startsWith('#')) return;
    const expires = words.find((word) => word.startsWith('expires='))?.slice('expires='.length) ?? '';
    const [rule = '', path = '', ...reason] = words.filter((word) => !word.startsWith('expires='));
    entries.push({ line: index + 1, rule, path, reason: reason.join(' '), expires });
  });
  return entries;
}

/** The entries, or what is wrong with the file as a whole. */
function fromYaml(text: string): Entry[] | string {
  let value: unknown;
  try {
    const document = parseDocument(text, { strict: true, logLevel: 'silent', stringKeys: true });
    const [error] = document.errors;
    if (error) return `The file is no YAML: line ${error.linePos?.[0].line ?? 1} cannot be read.`;
    value = document.toJS({ maxAliasCount: 50 });
  } catch {
    return 'The file is no usable YAML.';
  }
  const list = Array.isArray(value) ? value : (value as { ignore?: unknown } | null)?.ignore;
  if (!Array.isArray(list)) return 'The file holds no list of entries.';
  const lines = linesOfEntries(text);
  return list.map((one: unknown, index) => {
    const entry = (typeof one === 'object' && one !== null ? one : {}) as Record<string, unknown>;
    const field = (name: string) => {
      const given = entry[name];
      if (given instanceof Date) return given.toISOString().slice(0, 10);
      return typeof given === 'string' || typeof given === 'number' ? String(given).trim() : '';
    };
    const line = lines[index] ?? 1;
    return {
      line,
      rule: field('rule'),
      path: field('path'),
      reason: field('reason'),
      expires: field('expires'),
    };
  });
}

/** Where the entries of a list begin: near enough to be found by a person. */
function linesOfEntries(text: string): number[] {
  const lines = text.split('\n');
  const indent = Math.min(...lines.map((line) => /^(\s*)-\s/.exec(line)?.[1]?.length ?? Infinity));
  return lines.flatMap((line, index) => (/^(\s*)-\s/.exec(line)?.[1]?.length === indent ? [index + 1] : []));
}

function fault(
  kind: 'no-reason' | 'expired' | 'unusable',
  line: number | undefined,
  what: string,
): RawFinding {
  return {
    id: `suppression/${kind}`,
    severity: 'info',
    title: 'Suppression without effect',
    description: what,
    fix: 'Give the entry a rule, a path, a reason and, if it shall end, a day to come; or delete it.',
    path: IGNORE_FILE,
    ...(line !== undefined && { line }),
    identity: what,
  };
}
