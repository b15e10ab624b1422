import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { completionScript } from '../../src/cli/completion.ts';
import { commandFlags, operationFlags } from '../../src/cli/flags.ts';
import { commands } from '../../src/commands/index.ts';
import { operations } from '../../tools/index.ts';
import { environment, runMagpie, temporaryFolder } from '../helpers/magpie.ts';

/** The completions of the shells; bash's are asked for in a real bash. */

const folder = temporaryFolder();
const script = join(folder.path, 'magpie.bash');
beforeAll(() => writeFileSync(script, completionScript('bash', commands)));
afterAll(() => folder.remove());

/** What bash offers for each command line, whose last word is the one under way. */
function complete(lines: readonly (readonly string[])[]): string[][] {
  const asked = lines.map((words) => {
    const quoted = ['magpie', ...words].map((word) => `'${word}'`).join(' ');
    return `COMP_WORDS=(${quoted}); COMP_CWORD=${words.length}; COMPREPLY=(); _magpie; echo "\${COMPREPLY[*]}"`;
  });
  const text = execFileSync('bash', ['-c', `source '${script}'\n${asked.join('\n')}`], { encoding: 'utf8' });
  return text
    .split('\n')
    .slice(0, lines.length)
    .map((line) => line.split(' ').filter(Boolean));
}

test('bash accepts the script, and gets it from the program itself', async () => {
  const { code, stdout } = await runMagpie(['completion', 'bash'], environment(folder.path));
  expect([code, stdout]).toEqual([0, `${completionScript('bash', commands)}\n`]);
  const known = execFileSync('bash', [
    '-c',
    `source '${script}'; complete -p magpie; compgen -A function _magpie`,
  ]);
  expect(known.toString()).toMatch(/^complete -o default -F _magpie magpie\n(.*\n)*_magpie_candidates\n/);
});

test.each([
  [['sear'], ['search', 'searchgiant']],
  [
    ['kb', ''],
    ['export', 'import', 'sync', 'duplicates', 'merge', 'trash', 'restore', 'check'],
  ],
  [['scan', '--fo'], ['--format']],
  [
    ['scan', '--format', ''],
    ['table', 'html', 'json', 'sarif', 'cyclonedx', 'spdx', 'openvex', 'patch', 'gitlab'],
  ],
  [['scan', '--format', '=', 'c'], ['cyclonedx']],
  [
    ['scan', '--format', '='],
    ['table', 'html', 'json', 'sarif', 'cyclonedx', 'spdx', 'openvex', 'patch', 'gitlab'],
  ],
  [['scan', '.', '--deep', '--acc'], ['--accept']],
  [
    ['monitor', 'pa'],
    ['pause', 'page'],
  ],
  [
    ['call', 'browse'],
    ['browse', 'browsegiant', 'browseByUrl'],
  ],
  [['call', 'browse', '--li'], ['--links']],
  [['--read-only', 'monit'], ['monitor']],
  [['--port', '80', 'ser'], ['serve']],
  [['serve', '--por'], ['--port']],
  [
    ['completion', ''],
    ['bash', 'zsh', 'fish', 'powershell'],
  ],
  [['scan', '--', '--form'], []],
])('bash completes after magpie %j', (words, offered) => {
  expect(complete([words])).toEqual([offered]);
});

test('every operation, command and flag is completed', () => {
  const declared = [
    ...commands.map((command) => [command.name, commandFlags(command)] as const),
    ...operations.map((operation) => [`call ${operation.name}`, operationFlags(operation)] as const),
  ].map(([path, flags]) => [path.split(' '), flags.map(({ name }) => `--${name}`)] as const);
  const [first = [], ...flags] = complete([[''], ...declared.map(([path]) => [...path, '--'])]);
  expect(first).toEqual(expect.arrayContaining([...new Set(commands.map(({ name }) => name.split(' ')[0]))]));
  expect(first).toEqual(expect.arrayContaining(operations.map(({ name }) => name)));
  for (const [index, [, expected]] of declared.entries()) {
    expect(flags[index]).toEqual(expect.arrayContaining([...expected, '--json', '--help']));
  }
});

test.each(['zsh', 'fish', 'powershell'])('%s completes the same words', (shell) => {
  const text = completionScript(shell, commands);
  for (const { name } of operations) expect(text).toContain(`'call ${name}'`);
  for (const { name } of commands) expect(text).toContain(`'${name}'`);
  for (const format of ['table', 'sarif', 'cyclonedx', 'spdx', 'openvex', 'patch'])
    expect(text).toContain(format);
});

test.each([
  [['completion'], 'completion takes one of bash, zsh, fish, powershell'],
  [['completion', 'tcsh'], 'completion does not know "tcsh"; it takes one of bash, zsh, fish, powershell'],
])('the completion is right for magpie %j', async (args, message) => {
  const { code, stderr } = await runMagpie(args, environment(folder.path));
  expect([code, stderr]).toEqual([2, `magpie: ${message}\n`]);
});

test('the PowerShell tables have every word, flag and value, as literal texts', () => {
  const text = completionScript('powershell', commands);
  const [, ...tables] = text.split(/^\$t = .*$/m);
  const rows = tables.map(
    (table) =>
      new Map(
        [...table.matchAll(/^\$t\['((?:[^']|'')*)'\] = @\((.*)\)$/gm)].map(([, key = '', list = '']) => [
          key,
          [...list.matchAll(/'((?:[^']|'')*)'/g)].map(([, word = '']) => word),
        ]),
      ),
  );
  const [words, flags, taking, values] = rows;
  expect(words?.get('kb')).toEqual(expect.arrayContaining(['export', 'import']));
  expect(flags?.get('scan')).toEqual(expect.arrayContaining(['--format', '--deep', '--json']));
  expect(taking?.get('scan')).toContain('--format');
  expect(taking?.get('scan')).not.toContain('--deep');
  expect(values?.get('scan --format')).toContain('sarif');
  for (const operation of operations) {
    expect(flags?.get(`call ${operation.name}`)).toEqual(
      expect.arrayContaining(operationFlags(operation).map(({ name }) => `--${name}`)),
    );
  }
  // Outside of texts: as many brackets of each kind open as close.
  const code = text.replace(/'(?:[^']|'')*'/g, '').replace(/"[^"]*"/g, '');
  for (const [open, close] of ['()', '{}', '[]'].map((pair) => [...pair] as [string, string])) {
    expect(code.split(open).length, open).toBe(code.split(close).length);
  }
});
