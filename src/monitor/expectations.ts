import { parseJsonCondition } from './json-condition.ts';
import { jsonFaults } from './json-desk.ts';
import type { Page } from './page-probe.ts';
import type { Expectations, Fault } from './probing.ts';
import { isAmong, parseStatuses, SUCCESS } from './status-codes.ts';

/** Holds an answer against what its monitor expects. */

/** The subject of an answer that takes too long. */
export const RESPONSE_TIME = 'response_ms';

const MAX_SHOWN = 80;

/** Refuses expectations that cannot be read. AppError `bad_request` names the value and what it takes. */
export function checkExpectations({ status, json = [] }: Expectations): void {
  if (status !== undefined) parseStatuses(status);
  for (const text of json) parseJsonCondition(text);
}

/** Whether a page's status is one that is expected; of a redirect that was followed, the redirect's counts too. */
export function hasExpectedStatus({ status, hops }: Page, expect: Expectations): boolean {
  if (expect.status === undefined) return isAmong(status, SUCCESS);
  const ranges = parseStatuses(expect.status);
  return isAmong(status, ranges) || isAmong(hops[0]?.status ?? status, ranges.filter(isOfRedirects));
}

const isOfRedirects = ([from, to]: readonly [number, number]) => from >= 300 && to <= 399;

/** What a page is not; the JSON is read in a thread where it is long. */
export async function faultsOf(page: Page, expect: Expectations, signal: AbortSignal): Promise<Fault[]> {
  const { body, status, answerMs } = page;
  const { contains = [], lacks = [], json = [], responseMs } = expect;
  const faults: Fault[] = [];
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
    const found = await jsonFaults({ body, conditions: json }, signal);
    faults.push(...found);
  }
  if (responseMs !== undefined && answerMs > responseMs) {
    const what = `took ${Math.round(answerMs)} ms to answer, over the limit of ${responseMs}`;
    faults.push({ subject: RESPONSE_TIME, what });
  }
  return faults;
}

function shown(text: string): string {
  return JSON.stringify(text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text);
}
