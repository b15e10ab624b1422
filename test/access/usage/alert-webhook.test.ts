import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { AccessAlert } from '../../../src/access/types.ts';
import { createAlertWebhook } from '../../../src/access/usage/alert-webhook.ts';
import type { GuardedFetch } from '../../../src/lib/network/fetch.ts';
import { createLog } from '../../../src/log.ts';

/** How often an alert is sent to a webhook that fails, and how many at once. */

const URL = 'http://10.0.0.7:8080/hook';
const ALERT: AccessAlert = { kind: 'old-key', message: 'rotate it', credential: 'k1', user: 'ada' };
let bodies: string[];
let logged: { level: string; msg: string }[];
let stopped: number;
/** What the webhook does with each attempt. */
let answer: (attempt: number) => Promise<number>;

beforeEach(() => {
  [bodies, logged, stopped] = [[], [], 0];
  answer = async () => 500;
});
afterEach(() => webhook?.close());

let webhook: ReturnType<typeof createAlertWebhook> | undefined;
function start(attemptDelaysMs: readonly number[] = [0, 1, 1]): ReturnType<typeof createAlertWebhook> {
  const fetch = (async (_url: string, { body, signal }: { body: string; signal: AbortSignal }) => {
    signal.addEventListener('abort', () => stopped++);
    return { status: await answer(bodies.push(body)) };
  }) as unknown as GuardedFetch;
  const log = createLog('info', (line) => logged.push(JSON.parse(line)));
  webhook = createAlertWebhook({ url: URL, fetch, log, now: () => 0, attemptDelaysMs });
  return webhook;
}
const PATIENT = { timeout: 60_000, interval: 5 };
const MISSED = 'an alert did not reach MAGPIE_ALERT_WEBHOOK';

test('an undelivered alert is sent three times in all, and then the log reports it', async () => {
  start().send(ALERT);
  await vi.waitUntil(() => logged.length > 0, PATIENT);
  expect(bodies).toHaveLength(3);
  expect(new Set(bodies).size).toBe(1);
  expect(logged).toMatchObject([
    { level: 'error', msg: MISSED, err: { message: 'the webhook at 10.0.0.7:8080 answers 500' } },
  ]);
});

test('a delivered alert is sent once', async () => {
  answer = async () => 204;
  const { send } = start();
  for (let at = 0; at < 3; at++) send({ ...ALERT, message: `${at}` });
  await vi.waitUntil(() => bodies.length === 3, PATIENT);
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(bodies.map((body) => JSON.parse(body).message)).toEqual(['0', '1', '2']);
  expect(logged).toEqual([]);
});

test('at most twenty alerts are being sent, and each that ends frees its slot', async () => {
  const gate = Promise.withResolvers<number>();
  answer = () => gate.promise;
  const { send } = start();
  for (let at = 0; at < 25; at++) send({ ...ALERT, message: `${at}` });
  await vi.waitUntil(() => bodies.length >= 20, PATIENT);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(bodies).toHaveLength(20);
  gate.resolve(204);
  await vi.waitUntil(() => {
    send(ALERT);
    return bodies.length >= 41;
  }, PATIENT);
  expect(logged).toEqual([]);
});

test('closing silently ends current deliveries and pending retries', async () => {
  const { send, close } = start([0, 300]);
  send(ALERT);
  await vi.waitUntil(() => bodies.length === 1, PATIENT);
  const gate = Promise.withResolvers<number>();
  answer = () => gate.promise;
  send(ALERT);
  await vi.waitUntil(() => bodies.length >= 2, PATIENT);
  const sent = bodies.length;
  close();
  expect(stopped).toBe(sent);
  gate.reject(new Error('aborted'));
  await new Promise((resolve) => setTimeout(resolve, 600));
  expect([bodies.length, logged]).toEqual([sent, []]);
});
