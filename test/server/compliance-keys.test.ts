import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { environment, type Running, runMagpie, startMagpie, temporaryFolder } from '../helpers/magpie.ts';
import { startTlsSite, type TlsSite } from '../helpers/tls-site.ts';

/** What a key may see of compliance: monitors need the scope `monitor` here as everywhere. */

const folder = temporaryFolder();
let site: TlsSite;
let magpie: Running;
let watching: string;
let scanning: string;

beforeAll(async () => {
  site = await startTlsSite();
  const inventory = join(folder.path, 'infrastructure.yaml');
  writeFileSync(inventory, `infrastructure:\n  shop: { urls: ['${site.url}'] }\n`);
  const env = { ...environment(join(folder.path, 'data')), MAGPIE_INVENTORY: inventory };
  const key = async (scope: string) => {
    const made = await runMagpie(['key', 'create', '--scope', scope, '--user', 'ada', '--json'], env);
    return (JSON.parse(made.stdout) as { key: string }).key;
  };
  [watching, scanning] = [await key('scan,monitor'), await key('scan')];
  magpie = await startMagpie(env);
});
afterAll(async () => {
  await magpie.stop();
  await site.close();
  folder.remove();
});

async function post(key: string, path: string, body: unknown): Promise<{ status: number; text: string }> {
  const response = await fetch(new URL(path, magpie.url), {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify(body),
  });
  return { status: response.status, text: await response.text() };
}

test('a key without the scope monitor gets no information about monitors from a compliance check', async () => {
  const check = (key: string, scope: string) =>
    post(key, '/v1/compliance/check', { standards: ['gdpr'], scope });
  expect((await post(watching, '/v1/monitor/start', { infrastructure_id: 'shop' })).status).toBe(200);
  for (const scope of ['shop', 'all']) expect((await check(watching, scope)).status).toBe(200);
  expect(await check(scanning, 'shop')).toMatchObject({
    status: 403,
    text: expect.stringContaining('scope monitor'),
  });
  expect(await check(scanning, 'all')).toMatchObject({
    status: 400,
    text: expect.stringContaining('there are no scans'),
  });
  // A misspelled name does not reveal it either.
  expect((await check(scanning, 'shopp')).text).not.toContain('did you mean');
  expect((await check(watching, 'shopp')).text).toContain('did you mean shop?');
});
