import { badRequestError, unavailableError } from '../../errors.ts';
import { takeCharacters } from '../../lib/text/text.ts';
import { moduleUrl } from '../../lib/workers/module-url.ts';
import { createWorkerPool, type WorkerPool } from '../../lib/workers/worker-pool.ts';
import type { ProbedPage } from '../probing/page-probe.ts';
import type { ProbeExpectations, UnmetExpectation } from '../probing/probe-options.ts';
import type { MonitorTarget } from '../targets/target.ts';
import { findUnmetConditions, type JsonConditionJob, parseJsonCondition } from './json-condition.ts';

export const RESPONSE_TIME_SUBJECT = 'response_ms';

const MAX_SHOWN = 80;

const TAKEN: Readonly<Record<MonitorTarget['kind'], readonly (keyof ProbeExpectations)[]>> = {
  url: ['status', 'contains', 'lacks', 'json', 'responseMs'],
  dns: ['contains', 'lacks', 'responseMs'],
  tcp: ['responseMs'],
  ping: ['responseMs'],
  host: [],
  heartbeat: [],
  repository: [],
  page: [],
};

export function validateExpectations(
  expect: ProbeExpectations,
  targets: readonly Pick<MonitorTarget, 'kind'>[],
): void {
  const { status, json = [] } = expect;
  if (status !== undefined) parseStatusRanges(status);
  for (const text of json) parseJsonCondition(text);
  const kinds = [...new Set(targets.map(({ kind }) => kind))];
  const taken = new Set(kinds.flatMap((kind) => TAKEN[kind]));
  const given = Object.entries(expect).flatMap(([name, value]) =>
    value === undefined ? [] : [name as keyof ProbeExpectations],
  );
  const wrong = given.find((name) => !taken.has(name));
  if (wrong === undefined || kinds.length === 0) return;
  const takes = taken.size > 0 ? `takes ${[...taken].map(asGiven).join(', ')}` : 'takes nothing in expect';
  const message = `${asGiven(wrong)} does not fit a target of kind ${kinds.join(' or ')}: it ${takes}`;
  throw badRequestError(message);
}

function asGiven(name: keyof ProbeExpectations): string {
  return `expect.${name === 'responseMs' ? 'response_ms' : name}`;
}

/** Returns true if the status after all redirects is expected, or the status of the first redirect. */
export function hasExpectedStatus({ status, hops }: ProbedPage, expect: ProbeExpectations): boolean {
  if (expect.status === undefined) return isStatusInRanges(status, SUCCESS_STATUSES);
  const ranges = parseStatusRanges(expect.status);
  return (
    isStatusInRanges(status, ranges) ||
    isStatusInRanges(hops[0]?.status ?? status, ranges.filter(isOfRedirects))
  );
}

const isOfRedirects = ([from, to]: readonly [number, number]) => from >= 300 && to <= 399;

export async function findUnmetExpectations(
  page: ProbedPage,
  expect: ProbeExpectations,
  signal: AbortSignal,
): Promise<UnmetExpectation[]> {
  const { body, status, answerMs } = page;
  const { contains = [], lacks = [], json = [], responseMs } = expect;
  const faults: UnmetExpectation[] = [];
  if (expect.status !== undefined && !hasExpectedStatus(page, expect)) {
    const what = `answers with status ${status}, and ${expect.status} is expected`;
    faults.push({ subject: 'status', what });
  }
  for (const text of contains) {
    if (!body.includes(text))
      faults.push({ subject: `contains ${text}`, what: `does not contain ${shown(text)}` });
  }
  for (const text of lacks) {
    if (body.includes(text)) faults.push({ subject: `lacks ${text}`, what: `contains ${shown(text)}` });
  }
  if (json.length > 0) {
    const found = await checkJsonConditions({ body, conditions: json }, signal);
    faults.push(...found);
  }
  if (responseMs !== undefined && answerMs > responseMs) {
    const what = `took ${Math.round(answerMs)} ms to answer, over the limit of ${responseMs}`;
    faults.push({ subject: RESPONSE_TIME_SUBJECT, what });
  }
  return faults;
}

function shown(text: string): string {
  return JSON.stringify(text.length > MAX_SHOWN ? `${takeCharacters(text, MAX_SHOWN)}…` : text);
}

/** Maximum length of JSON to check without a worker, which takes less than a millisecond. */
const MAX_INLINE_CHARS = 20_000;
const MAX_WAITING = 1000;
/** Limit of processor time for one answer. An answer of a megabyte takes about 20 ms. */
const TIME_LIMIT_MS = 5000;
const IDLE_MS = 60_000;

let pool: WorkerPool<JsonConditionJob, readonly UnmetExpectation[]> | undefined;

async function checkJsonConditions(job: JsonConditionJob, signal: AbortSignal) {
  if (job.body.length <= MAX_INLINE_CHARS) return findUnmetConditions(job);
  pool ??= createWorkerPool({
    file: moduleUrl('./json-worker.ts', import.meta.url),
    workers: 1,
    queue: MAX_WAITING,
    idleMs: IDLE_MS,
    stopOnAbort: false,
  });
  const outcome = await pool.run(job, TIME_LIMIT_MS, signal);
  if ('answer' in outcome) return outcome.answer;
  throw unavailableError('the JSON of the answer takes too long to read');
}

type StatusRange = readonly [from: number, to: number];

const SUCCESS_STATUSES: readonly StatusRange[] = [[200, 299]];

const TAKES = 'codes from 100 to 599 and ranges of them, separated by commas: 200-299, 401';
const MAX_RANGES = 50;

/** Parses status codes and ranges such as `200-299, 401`. Throws `bad_request` with the invalid part. */
function parseStatusRanges(text: string, name = 'expect.status'): StatusRange[] {
  const parts = text.split(',').map((part) => part.trim());
  if (parts.length > MAX_RANGES) throw badRequestError(`${name} takes at most ${MAX_RANGES} parts`);
  return parts.map((part) => {
    const range = rangeOf(part);
    if (range) return range;
    throw badRequestError(`${name} has ${JSON.stringify(part.slice(0, 50))}: it takes ${TAKES}`);
  });
}

function rangeOf(part: string): StatusRange | undefined {
  const ends = part.split('-').map((one) => one.trim());
  const [from = Number.NaN, to = from] = ends.map((one) => (/^\d{3}$/.test(one) ? Number(one) : Number.NaN));
  const isRange = ends.length <= 2 && from >= 100 && to <= 599 && from <= to;
  return isRange ? [from, to] : undefined;
}

function isStatusInRanges(status: number, ranges: readonly StatusRange[]): boolean {
  return ranges.some(([from, to]) => status >= from && status <= to);
}
