import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { manPage } from '../../docs/man-page.ts';
import { commands } from '../../src/commands/index.ts';
import { SETTINGS } from '../../src/config/settings.ts';
import { operations } from '../../tools/index.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const page = manPage();

test('the manual page is that of the package, and names every command, operation and setting', () => {
  const { man, files } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')) as {
    man: string[];
    files: string[];
  };
  expect(man).toEqual(['man/magpie.1']);
  expect(files).toContain('man');
  expect(readFileSync(`${ROOT}man/magpie.1`, 'utf8')).toBe(page);
  const plain = page.replaceAll('\\-', '-');
  for (const { name } of [...commands, ...operations]) expect(plain).toContain(`\n\\fB${name}\\fR\n`);
  for (const { env } of Object.values(SETTINGS)) expect(plain).toContain(`, \\fB${env}\\fR\n`);
});

test('its lines are requests of man(7), or text', () => {
  const requests = new Set([...page.matchAll(/^[.'](\S+)/gm)].map(([, name]) => name));
  expect([...requests].sort()).toEqual(['B', 'PP', 'SH', 'TH', 'TP', '\\"', 'br'].sort());
  // Escapes that every roff knows.
  const escapes = new Set([...page.matchAll(/\\(\(..|f.|.)/g)].map(([, name]) => name));
  expect(
    [...escapes].filter((name) => !['-', 'e', '&', '(aq', 'fB', 'fR', '"'].includes(name ?? '')),
  ).toEqual([]);
  expect(page).not.toMatch(/[^\n\x20-\x7e]/);
});

test('groff draws it without a warning, where it is there', () => {
  const groff = ['/usr/bin/groff', '/usr/local/bin/groff'].find((path) => existsSync(path));
  const drawn =
    groff === undefined
      ? page
      : execFileSync('sh', ['-c', `'${groff}' -man -ww -Tascii 2>&1`], { input: page, encoding: 'utf8' });
  expect(drawn).not.toMatch(/warning|error:/);
  // A bold letter is drawn over itself.
  expect(drawn.replace(/.[\b]/g, '')).toContain('COMMANDS');
});
