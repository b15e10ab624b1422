import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cookies } from '../../src/monitor/checks/cookies.ts';
import { cors } from '../../src/monitor/checks/cors.ts';
import { headers } from '../../src/monitor/checks/headers.ts';
import { isInconclusiveResult } from '../../src/monitor/probing/check.ts';
import { computeGrade } from '../../src/monitor/status.ts';
import { probeContext } from '../helpers/probe-context.ts';
import { AUTHORITY, type HeaderValues, startTlsSite, type TlsSite } from '../helpers/tls-site.ts';

/** Local servers, each with other headers, cookies and scripts, and what the HTTP Observatory's own package says of it. */

interface Case {
  readonly name: string;
  readonly headers: HeaderValues;
  readonly body?: string;
  readonly points: Readonly<Record<string, number>>;
  readonly score: number;
  readonly grade: string;
}

const file = new URL('../fixtures/observatory/answers.json', import.meta.url);
const { cases } = JSON.parse(readFileSync(file, 'utf8')) as { cases: readonly Case[] };
const authority = readFileSync(AUTHORITY, 'utf8');
let current: Case | undefined;
let site: TlsSite;

beforeAll(async () => {
  site = await startTlsSite({
    certificate: 'good',
    answer: () => ({ status: 200, headers: current?.headers ?? {} }),
    page: () => current?.body,
  });
});
afterAll(() => site.close());

test.each(cases.map((one) => [one.name, one] as const))('%s', async (_name, one) => {
  current = one;
  const target = { kind: 'url' as const, name: site.url };
  const probe = probeContext({
    infrastructure: { allow: [`localhost:${site.port}`], authority },
    signal: AbortSignal.timeout(60_000),
  });
  const points: Record<string, number> = {};
  for (const check of [headers, cookies, cors]) {
    const result = await check.run(target, probe);
    if (isInconclusiveResult(result)) throw new Error(`${check.name}: ${result.unseen}`);
    Object.assign(points, result.points);
  }
  const given = Object.fromEntries(Object.entries(points).filter(([, count]) => count !== 0));
  expect(given).toEqual(one.points);
  expect(computeGrade(Object.values(points))).toEqual({ score: one.score, grade: one.grade });
});
