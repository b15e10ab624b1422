import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { loadSigningSecret } from '../../src/storage/secret.ts';
import { temporaryFolder } from '../helpers/magpie.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());
const place = (name: string) => join(folder.path, name);

test('a secret is created once, for its user only, and is the same for all concurrent processes', async () => {
  const all = await Promise.all(Array.from({ length: 8 }, () => loadSigningSecret(place('a'))));
  expect(new Set(all.map((secret) => secret.toString('hex'))).size).toBe(1);
  expect(all[0]).toHaveLength(32);
  expect(await loadSigningSecret(place('a'))).toEqual(all[0]);
  expect(statSync(join(place('a'), 'secret')).mode & 0o777).toBe(0o600);
  expect(readdirSync(place('a'))).toEqual(['secret']);
  expect(await loadSigningSecret(place('b'))).not.toEqual(all[0]);
});

test('a damaged secret, or one that cannot be created, is reported', async () => {
  await loadSigningSecret(place('c'));
  writeFileSync(join(place('c'), 'secret'), 'short');
  await expect(loadSigningSecret(place('c'))).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('is damaged: delete it'),
  });
  writeFileSync(place('file'), '');
  await expect(loadSigningSecret(place('file'))).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('set MAGPIE_DATA'),
  });
});
