import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLog } from '../../../src/log.ts';
import {
  createInventorySource,
  type InventorySource,
} from '../../../src/monitor/targets/inventory-source.ts';
import { temporaryFolder } from '../../helpers/magpie.ts';
import { AUTHORITY } from '../../helpers/tls-site.ts';

let folder: ReturnType<typeof temporaryFolder>;
let file: string;
let listing: InventorySource;
let heard: number;

const listed = (...names: string[]) =>
  `infrastructure:\n${names.map((name) => `  ${name}: { authority: ca.pem, urls: ['https://${name}.internal/'] }\n`).join('')}`;
const until = (holds: () => boolean) => vi.waitUntil(holds, { timeout: 60_000, interval: 10 });
const names = () => [...listing.current().keys()];

beforeEach(() => {
  folder = temporaryFolder();
  file = join(folder.path, 'infrastructure.yaml');
  writeFileSync(join(folder.path, 'ca.pem'), readFileSync(AUTHORITY));
  writeFileSync(file, listed('shop'));
  heard = 0;
  listing = createInventorySource(file, createLog('silent'), 20);
  listing.watch(async () => {
    heard++;
  });
});
afterEach(async () => {
  await listing.close();
  folder.remove();
});

test('a change is applied as a whole, and is reported once', async () => {
  expect(names()).toEqual(['shop']);
  writeFileSync(file, listed('shop', 'bank'));
  await until(() => heard === 1);
  expect(names()).toEqual(['shop', 'bank']);
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(heard).toBe(1);
});

test('a changed certificate of an authority is a change too', async () => {
  const pem = readFileSync(AUTHORITY, 'utf8');
  writeFileSync(join(folder.path, 'ca.pem'), `# renewed\n${pem}`);
  await until(() => heard === 1);
  expect(listing.current().get('shop')?.authority).toContain('# renewed');
});

test('an invalid or missing file keeps the previous inventory, and a valid file ends the error', async () => {
  writeFileSync(file, 'infrastructure: [\n');
  await until(() => listing.trouble() !== undefined);
  expect(listing.trouble()).toMatch(/^the inventory has changed and is not used: infrastructure\.yaml:\d: /);
  expect(names()).toEqual(['shop']);
  writeFileSync(join(folder.path, 'ca.pem'), 'nothing');
  writeFileSync(file, listed('shop'));
  await until(() => listing.trouble()?.includes('no certificate in PEM form') === true);
  writeFileSync(join(folder.path, 'ca.pem'), readFileSync(AUTHORITY));
  await until(() => listing.trouble() === undefined);
  folder.remove();
  await until(() => listing.trouble() !== undefined);
  expect(listing.trouble()).toContain('cannot be read');
  expect(names()).toEqual(['shop']);
});

test('a change during the start of the server is applied', async () => {
  await listing.close();
  listing = createInventorySource(file, createLog('silent'), 20);
  writeFileSync(file, listed('bank'));
  listing.watch(async () => {
    heard++;
  });
  await until(() => names()[0] === 'bank');
});
