import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, expect, test, vi } from 'vitest';
import { environment, type Running, startMagpie, temporaryFolder } from '../helpers/magpie.ts';
import { AUTHORITY, startTlsSite } from '../helpers/tls-site.ts';

/** A server that cannot begin to watch at its start. */

const PATIENT = { timeout: 60_000, interval: 50 };
const folder = temporaryFolder();
let magpie: Running | undefined;

afterAll(async () => {
  await magpie?.stop();
  folder.remove();
});

test('a server starts monitoring once the previous process releases the lock', async () => {
  const site = await startTlsSite({ certificate: 'good' });
  const file = join(folder.path, 'infrastructure.yaml');
  writeFileSync(file, `infrastructure:\n  shop: { authority: ${AUTHORITY}, urls: ['${site.url}'] }\n`);
  const before = new DatabaseSync(join(folder.path, 'watch.lock'));
  before.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
  magpie = await startMagpie({ ...environment(folder.path), MAGPIE_INVENTORY: file });
  const server = magpie;
  await vi.waitUntil(() => server.stderr().includes('monitoring could not start'), PATIENT);
  before.close();
  const response = await fetch(new URL('/v1/monitor/start', server.url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ infrastructure_id: 'shop' }),
  });
  expect(response.status).toBe(200);
  await vi.waitUntil(() => site.asked.length > 0, PATIENT);
  await vi.waitUntil(() => server.stderr().includes('monitoring runs now'), PATIENT);
  expect(server.stderr().split('monitoring could not start')).toHaveLength(2);
  await site.close();
});

test('a server that waits for the lock exits at once', async () => {
  await magpie?.stop();
  const before = new DatabaseSync(join(folder.path, 'watch.lock'));
  before.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
  magpie = await startMagpie(environment(folder.path));
  const server = magpie;
  await vi.waitUntil(() => server.stderr().includes('monitoring could not start'), PATIENT);
  expect(await server.stop()).toBe(0);
  before.close();
});
