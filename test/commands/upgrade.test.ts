import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MIGRATIONS } from '../../src/storage/migrations/list.ts';
import { environment, runMagpie, temporaryFolder } from '../helpers/magpie.ts';

/** Data folders of earlier schemas (test/fixtures/data-folders/make.ts): this Magpie finds in them all that was kept, and goes on. */

const FOLDERS = fileURLToPath(new URL('../fixtures/data-folders/', import.meta.url));
const kept = readdirSync(FOLDERS).filter((name) => name.endsWith('.zip'));

test('the newest saved schema is not newer than that of this Magpie', () => {
  const newest = Math.max(...kept.map((name) => Number(/\d+/.exec(name)?.[0])));
  expect(newest).toBeLessThanOrEqual(MIGRATIONS.at(-1)?.id ?? 0);
});

describe.each(kept)('%s', (name) => {
  const folder = temporaryFolder();
  const env = { ...environment(folder.path), MAGPIE_USER: 'ada', MAGPIE_ENGINES: 'local' };
  beforeAll(() => {
    for (const [path, bytes] of Object.entries(unzipSync(readFileSync(join(FOLDERS, name))))) {
      mkdirSync(dirname(join(folder.path, path)), { recursive: true });
      writeFileSync(join(folder.path, path), bytes);
    }
  });
  afterAll(() => folder.remove());

  const magpie = async (...args: string[]) => {
    const { code, stdout, stderr } = await runMagpie(args, env);
    expect([args.join(' '), code, stderr]).toEqual([args.join(' '), 0, expect.any(String)]);
    return stdout;
  };

  test.each([
    ['notes by their meaning', ['query', 'who has the spare key?'], 'with Ada'],
    ['tags and titles', ['query', 'key', '--tags', 'home', '--collection', 'home'], 'Key'],
    ['the last version under a key', ['query', 'colour of the gate'], 'The gate is green.'],
    ['the trash', ['kb', 'trash'], 'herons'],
    ['files', ['document', 'when does it end?', '--fileName', 'lease.pdf', '--partId', '1'], 'ends in June'],
    ['the local index', ['search', 'how high does a feeder hang'], 'two metres'],
    ['scans', ['scans'], 'completed'],
    ['monitors', ['getMonitoringStatus', 'heartbeat:backup'], 'backup'],
    ['attestations', ['compliance', 'attestations'], 'Ann Lee'],
    ['keys', ['key', 'list'], 'laptop'],
  ])('finds %s', async (_what, args, expected) => {
    expect(await magpie(...args)).toContain(expected);
  });

  test('nothing in the database is damaged, a new note is stored beside the old ones, and the trash is restored', async () => {
    await magpie('kb', 'check');
    await magpie('upsert', 'The new bell hangs in the hall.');
    expect(await magpie('query', 'where does the bell hang?')).toContain('in the hall');
    await magpie('kb', 'restore');
    expect(await magpie('query', 'herons')).toContain('Forget this sentence about herons.');
  });
});
