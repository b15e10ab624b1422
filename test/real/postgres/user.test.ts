import { expect, test } from 'vitest';
import { userDataContract } from '../../contracts/user-data.ts';
import { environment, runMagpie, spawnServer, temporaryFolder } from '../../helpers/magpie.ts';
import { makePostgres } from '../../helpers/postgres.ts';

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

test('a node that serves refuses the keys of a user who is deleted from its next request on', async () => {
  const folder = temporaryFolder();
  const place = await makePostgres();
  const env = { ...environment(folder.path), DATABASE_URL: place.url };
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
    expect((await runMagpie(['user', 'delete', 'ada', '--yes'], env)).code).toBe(0);
    expect((await insert(ada, 'The mill turns again.')).status).toBe(401);
    expect((await insert(bob, 'The mill rests again.')).status).toBe(200);
  } finally {
    await node.stop();
    await place.remove();
    folder.remove();
  }
});
