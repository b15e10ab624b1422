import { Client } from '@modelcontextprotocol/client';
import { afterAll, expect, test } from 'vitest';
import { environment, temporaryFolder } from '../../helpers/magpie.ts';
import { runStdio } from '../../helpers/stdio-run.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

async function named(era: object) {
  const client = new Client({ name: 'test', version: '1' }, era);
  await client.connect(runStdio(environment(folder.path)).transport);
  const { title, icons } = client.getServerVersion() ?? {};
  await client.close();
  return { title, icons };
}

test('a client of 2025 is shown the name and the icon', async () => {
  const { title, icons } = await named({});
  expect(title).toBe('Magpie');
  const [icon] = icons ?? [];
  expect(icon?.mimeType).toBe('image/svg+xml');
  expect(await (await fetch(icon?.src ?? '')).text()).toMatch(/^<svg xmlns=.*<\/svg>$/);
});

test('a client of 2026, which gets the server information with every answer, is shown only the name', async () => {
  const { title, icons } = await named({ versionNegotiation: { mode: { pin: '2026-07-28' } } });
  expect([title, icons]).toEqual(['Magpie', undefined]);
});
