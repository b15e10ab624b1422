import { AppError } from '../../errors.ts';
import type { ProbedPage } from '../probing/page-probe.ts';
import type { Expectations, UnmetExpectation } from '../probing/probe-options.ts';
import type { Target } from '../targets/target.ts';
import { checkJsonConditions } from './check-json-conditions.ts';
import { parseJsonCondition } from './json-condition.ts';
import { isStatusInRanges, parseStatusRanges, SUCCESS_STATUSES } from './status-codes.ts';

export const RESPONSE_TIME_SUBJECT = 'response_ms';

const MAX_SHOWN = 80;

const TAKEN: Readonly<Record<Target['kind'], readonly (keyof Expectations)[]>> = {
  url: ['status', 'contains', 'lacks', 'json', 'responseMs'],
  dns: ['contains', 'lacks', 'responseMs'],
  tcp: ['responseMs'],
  ping: ['responseMs'],
  host: [],
  heartbeat: [],
  repository: [],
};

/** Throws AppError `bad_request` if an expectation is invalid or applies to none of the targets. */
export function validateExpectations(expect: Expectations, targets: readonly Pick<Target, 'kind'>[]): void {
  const { status, json = [] } = expect;
  if (status !== undefined) parseStatusRanges(status);
  for (const text of json) parseJsonCondition(text);
  const kinds = [...new Set(targets.map(({ kind }) => kind))];
  const taken = new Set(kinds.flatMap((kind) => TAKEN[kind]));
  const given = Object.entries(expect).flatMap(([name, value]) =>
    value === undefined ? [] : [name as keyof Expectations],
  );
  const wrong = given.find((name) => !taken.has(name));
  if (wrong === undefined || kinds.length === 0) return;
  const takes = taken.size > 0 ? `takes ${[...taken].map(asGiven).join(', ')}` : 'takes nothing in expect';
  const message = `${asGiven(wrong)} does not fit a target of kind ${kinds.join(' or ')}: it ${takes}`;
  throw new AppError('bad_request', message);
}

function asGiven(name: keyof Expectations): string {
  return `expect.${name === 'responseMs' ? 'response_ms' : name}`;
}

/** True if the final status is expected, or the first answer has an expected redirect status (3xx). */
export function hasExpectedStatus({ status, hops }: ProbedPage, expect: Expectations): boolean {
  if (expect.status === undefined) return isStatusInRanges(status, SUCCESS_STATUSES);
  const ranges = parseStatusRanges(expect.status);
  return (
    isStatusInRanges(status, ranges) ||
    isStatusInRanges(hops[0]?.status ?? status, ranges.filter(isOfRedirects))
  );
}

const isOfRedirects = ([from, to]: readonly [number, number]) => from >= 300 && to <= 399;

/** Finds unmet expectations. Long JSON is checked in a worker thread. */
export async function findUnmetExpectations(
  page: ProbedPage,
  expect: Expectations,
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
  return JSON.stringify(text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text);
}
