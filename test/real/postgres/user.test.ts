import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createEntryStore } from '../../../src/knowledge/stores/entry-store.ts';
import type { JobKind } from '../../../src/lib/concurrency/job-queue.ts';
import { createLog } from '../../../src/log.ts';
import { createPostgresJobs } from '../../../src/storage/postgres/jobs/queue.ts';
import { openNotices } from '../../../src/storage/postgres/notices.ts';
import { openPostgres } from '../../../src/storage/postgres/open.ts';
import { countRows, deleteRows } from '../../../src/storage/user/delete.ts';
import { KIND } from '../../contracts/job-queue.ts';
import { userDataContract } from '../../contracts/user-data.ts';
import { withoutModel } from '../../helpers/embeddings-api.ts';
import { addEntry } from '../../helpers/entry-stores.ts';
import { environment, runMagpie, spawnServer, temporaryFolder } from '../../helpers/magpie.ts';
import { makePostgres } from '../../helpers/postgres.ts';

const EMBED: JobKind = { name: 'one-of-each', longestMs: 60_000, onePerOwner: true };

userDataContract(async () => {
  const folder = temporaryFolder();
  const place = await makePostgres();
  return {
    env: { ...environment(folder.path), DATABASE_URL: place.url },
    open: place.open,
    async remove() {
      await place.remove();
      folder.remove();
    },
  };
});

test('jobs of a deleted user are removed, and those of another user stay queued', async () => {
  const folder = temporaryFolder();
  const place = await makePostgres();
  const db = await openPostgres({ url: place.url });
  const notices = openNotices(place.url);
  const jobs = createPostgresJobs(db, notices, createLog('silent'));
  const stats = async (id: string) => jobs.isPending(KIND, id);
  try {
    for (const owner of ['ada', 'bob']) {
      await jobs.send(KIND, { id: `of ${owner}`, owner }, () =>
        addEntry(createEntryStore(db), owner, 'x').then(),
      );
      await jobs.send(EMBED, { id: `${owner}'s`, owner }, async () => {});
    }
    const env = { ...environment(folder.path), DATABASE_URL: place.url };
    const kept = JSON.parse((await runMagpie(['user', 'delete', 'ada', '--json'], env)).stdout);
    expect(kept.rows).toMatchObject({ jobs: 2 });
    const { stdout } = await runMagpie(['user', 'delete', 'ada', '--yes', '--json'], env);
    expect(JSON.parse(stdout)).toEqual(kept);
    expect([await stats('of ada'), await stats('of bob')]).toEqual([false, true]);
    expect((await db.ask('SELECT id FROM magpie_jobs.job')).rows).toHaveLength(2);
  } finally {
    await jobs.close();
    await notices.close();
    await db.close();
    await place.remove();
    folder.remove();
  }
});

test('rows that a node adds between two steps of a deletion are deleted too', async () => {
  const place = await makePostgres();
  const db = await openPostgres({ url: place.url });
  try {
    await addEntry(createEntryStore(db), 'ada', 'The mill turns at noon.');
    // As an embedding that ends then: the row of the owner can be deleted only after this one.
    await db.ask(`
      INSERT INTO kb_models (id, name, used_at) VALUES (7, 'late', 0);
      CREATE FUNCTION embed_late() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        INSERT INTO kb_embedded (model, owner, below) VALUES (7, OLD.owner, 1);
        RETURN NULL;
      END $$;
      CREATE TRIGGER late AFTER DELETE ON kb_entries FOR EACH ROW EXECUTE FUNCTION embed_late();
    `);
    const watch = { signal: new AbortController().signal, progress() {} };
    expect(await deleteRows(db, 'ada', watch)).toMatchObject({ kb_entries: 1, kb_embedded: 1, kb_owners: 1 });
    expect(await countRows(db, 'ada')).toEqual({});
    // The database is emptied for other tests.
    await db.ask('DROP TRIGGER late ON kb_entries; DROP FUNCTION embed_late');
  } finally {
    await db.close();
    await place.remove();
  }
});

test('a serving node refuses the keys of a deleted user from the next request on, and nothing of the user remains', async () => {
  const folder = temporaryFolder();
  const place = await makePostgres();
  const env = { ...environment(folder.path), DATABASE_URL: place.url, ...(await withoutModel()) };
  const key = async (user: string) =>
    JSON.parse(
      (await runMagpie(['key', 'create', '--user', user, '--scope', 'read,write', '--json'], env)).stdout,
    ).key;
  const [ada, bob] = [await key('ada'), await key('bob')];
  const node = await spawnServer(env);
  try {
    const insert = (of: string, text: string) =>
      fetch(`${node.url}/insert?q=${encodeURIComponent(text)}`, {
        headers: { authorization: `Bearer ${of}` },
      });
    expect((await insert(ada, 'The mill turns at noon.')).status).toBe(200);
    expect((await insert(bob, 'The mill rests at night.')).status).toBe(200);
    const deleting = runMagpie(['user', 'delete', 'ada', '--yes'], env);
    let ended = false;
    const end = deleting.finally(() => {
      ended = true;
    });
    for (let at = 0; !ended; at++) {
      await insert(ada, `The mill turns ${at} times.`);
      await setTimeout(20);
    }
    const { code, stderr } = await end;
    expect(code, stderr).toBe(0);
    expect((await insert(ada, 'The mill turns again.')).status).toBe(401);
    expect((await insert(bob, 'The mill rests again.')).status).toBe(200);
    // It writes what it still has of anyone.
    await node.stop();
    const left = await runMagpie(['user', 'delete', 'ada'], env);
    expect(left).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('the user "ada" has no data here'),
    });
  } finally {
    await node.stop();
    await place.remove();
    folder.remove();
  }
});
