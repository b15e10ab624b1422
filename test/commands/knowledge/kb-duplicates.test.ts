import { afterAll, beforeAll, expect, test } from 'vitest';
import { type EmbeddingsApi, startEmbeddingsApi } from '../../helpers/embeddings-api.ts';
import { environment, runMagpie, temporaryFolder } from '../../helpers/magpie.ts';

/** `magpie kb duplicates`, `magpie kb merge`, and what an insert says. */

const folder = temporaryFolder();
let api: EmbeddingsApi;
let env: Record<string, string>;
beforeAll(async () => {
  api = await startEmbeddingsApi();
  env = { ...environment(folder.path), ...api.settings };
});
afterAll(async () => {
  await api.close();
  folder.remove();
});

test('an insert names near duplicates, and two entries are merged into one', async () => {
  const call = (...args: string[]) => runMagpie(args, env);
  const body = async (...args: string[]) =>
    JSON.parse((await call(...args, '--json')).stdout) as Record<string, unknown>;
  const text = 'The boiler in the cellar is serviced each October by Mr Brown, phone 555 0199';
  const first = await body('upsert', text);
  expect(first).not.toHaveProperty('similar');
  const second = await body('upsert', `${text}, mornings only`);
  expect(second).toMatchObject({
    status: { status: expect.stringContaining(`Nearly the same is kept as ${first.id} (`) },
    similar: [{ id: first.id, score: expect.any(Number) }],
  });
  expect(JSON.stringify(second.status)).toContain('updateEntry and deleteEntry make one of them.');

  const shown = await call('kb', 'duplicates');
  expect(shown).toMatchObject({ code: 0 });
  expect(shown.stdout).toContain(`magpie kb merge ${first.id} ${second.id}`);
  expect(shown.stdout).toContain('2 entries compared: 1 group nearly the same.');
  expect(await body('kb', 'duplicates')).toMatchObject({
    compared: 2,
    groups: 1,
    duplicates: [{ entries: [{ id: first.id }, {}] }],
  });

  const merged = await call('kb', 'merge', String(first.id), String(second.id));
  expect(merged.stdout).toMatch(
    /^Merged 1 entry into \S+\. Until \S+Z this can be undone: magpie kb restore \d+\.\n$/,
  );
  expect((await call('kb', 'duplicates')).stdout).toBe('1 entry compared: none are nearly the same.\n');
  expect((await call('kb', 'restore')).stdout).toBe('Restored 1 entry.\n');
  expect((await call('kb', 'merge', 'one')).code).toBe(2);
});
