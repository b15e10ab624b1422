import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createApifyPlatform } from '../../../src/automation/platforms/apify.ts';
import { createMakePlatform } from '../../../src/automation/platforms/make.ts';
import { createN8nPlatform } from '../../../src/automation/platforms/n8n.ts';
import { AUTOMATION_PLATFORMS, AUTOMATION_SETTINGS } from '../../../src/config/automation-settings.ts';
import { automationrpa } from '../../../tools/automationrpa.ts';
import { type PlatformUnderTest, testPlatform } from '../../contracts/automation-platform.ts';
import { ACCOUNT, besideTasks, startApify } from '../apify-site.ts';
import { startMake, TEAM } from '../make-site.ts';
import { PROJECT, startN8n } from '../n8n-site.ts';

/** Every platform of the list, on a local server that holds to its documentation. */
const UNDER_TEST: readonly PlatformUnderTest[] = [
  {
    name: 'make',
    start: startMake,
    driver: createMakePlatform,
    team: TEAM,
    unknownTeam: '99999',
    evaluates: () => true,
    crowd: ({ made }) => {
      const others = Array.from({ length: 250 }, (_, i) => ({
        id: i + 1,
        name: `Other ${i}`,
        teamId: 4321,
        isActive: true,
      }));
      made.unshift(...others);
    },
  },
  {
    name: 'n8n',
    start: startN8n,
    driver: createN8nPlatform,
    team: PROJECT,
    unknownTeam: 'NoSuchProject',
    evaluates: (text) => text.startsWith('=') && !text.includes('[magpie'),
    crowd: ({ made }) => {
      const others = Array.from({ length: 250 }, (_, i) => ({
        id: `o${i}`,
        name: `Other ${i}`,
        active: true,
        isArchived: false,
      }));
      made.unshift(...others);
    },
  },
  {
    name: 'apify',
    start: startApify,
    driver: (url) => createApifyPlatform(url, 'https://console.apify.com'),
    team: ACCOUNT.username,
    unknownTeam: 'somebody-else',
    evaluates: (text) => text.includes('{{resource') || text.startsWith('https://hooks'),
    crowd: (site) => {
      const others = Array.from({ length: 2500 }, (_, i) => ({
        id: `o${i}`,
        name: `other-${i}`,
        isEnabled: true,
      }));
      besideTasks(site).schedules.unshift(...others);
    },
  },
];

for (const platform of UNDER_TEST) testPlatform(platform);

test('every platform of the list is run through the contract suite, and accepted by operation and settings', () => {
  expect(UNDER_TEST.map(({ name }) => name)).toEqual([...AUTOMATION_PLATFORMS]);
  expect(automationrpa.input.shape.platform.unwrap().options).toEqual([...AUTOMATION_PLATFORMS, 'local']);
  expect(AUTOMATION_SETTINGS.automationPlatform.schema.unwrap().options).toEqual([...AUTOMATION_PLATFORMS]);
});

test('every driver of the folder is in the list', async () => {
  const folder = new URL('../../../src/automation/platforms/', import.meta.url);
  const files = readdirSync(folder).filter((file) => file.endsWith('.ts'));
  const drivers = await Promise.all(
    files.map(async (file) => {
      const module = (await import(new URL(file, folder).href)) as Record<string, unknown>;
      const name = file.replace(/\.ts$/, '');
      const pascal = name.replace(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());
      return typeof module[`create${pascal}Platform`] === 'function' ? [name] : [];
    }),
  );
  expect(drivers.flat().sort()).toEqual([...AUTOMATION_PLATFORMS].sort());
});

test('the documentation has a column for every platform', () => {
  const titles = UNDER_TEST.map(({ driver }) => driver('https://platform.example').title);
  const docs = readFileSync(new URL('../../../docs/automation.md', import.meta.url), 'utf8');
  expect(docs).toContain(`| | ${titles.join(' | ')} |`);
  expect(docs).toContain(`platform=${AUTOMATION_PLATFORMS.join('|')}`);
});
