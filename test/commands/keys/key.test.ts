import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Command } from '../../../src/command.ts';
import { createKey, listKeys, rotateKey } from '../../../src/commands/keys/key.ts';
import { revokeAllKeys, revokeKey } from '../../../src/commands/keys/key-revoke.ts';
import { loadConfig } from '../../../src/config/config.ts';
import { createLog } from '../../../src/log.ts';
import { createServices, type Services } from '../../../src/wiring/services.ts';
import { environment, MAIN, runMagpie, temporaryFolder } from '../../helpers/magpie.ts';
import { runWith } from '../../helpers/run-command.ts';

/** `magpie key ...`. */

const DAY = 86_400_000;
const log = createLog('error');
let folder: ReturnType<typeof temporaryFolder>;
let env: Record<string, string>;
let services: Services;

beforeEach(() => {
  folder = temporaryFolder();
  env = environment(join(folder.path, 'data'));
  services = createServices(loadConfig({}, env), log);
});
afterEach(async () => {
  await services.lifecycle.close();
  folder.remove();
});

/** Runs a command; what it prints. */
async function run(
  command: Command,
  input: Record<string, unknown>,
  json = false,
  rooms = services,
): Promise<string> {
  const { printed } = await runWith({ services: rooms, owner: 'tester', json }, command, input);
  return printed.join('\n');
}
const facts = async (command: Command, input: Record<string, unknown>) =>
  JSON.parse(await run(command, input, true));

test('a key is created, shown once, listed without its text, rotated and revoked', async () => {
  const made = await run(createKey, { scope: 'scan, read', user: 'ada', name: 'laptop', expires: '90d' });
  const [, key = '', id = ''] =
    /^(magpie_\w{38})\n\nKey (k\w{9}) of ada, with the scopes read, scan; it expires at 20/.exec(made) ?? [];
  expect(key).not.toBe('');
  expect(statSync(join(folder.path, 'data', 'secret')).mode & 0o777).toBe(0o600);

  const listed = await run(listKeys, {});
  expect(listed).toMatch(/^ID +KEY +USER +NAME +SCOPES +STATE +MADE +LAST USED\n/);
  expect(listed).toContain(`${id}  ${key.slice(0, 11)}...  ada   laptop  read,scan  active, 90 days left`);
  expect(listed).not.toContain(key);

  const rotated = await facts(rotateKey, { id, overlap: '7d' });
  expect(rotated).toMatchObject({ user: 'ada', name: 'laptop', scopes: ['read', 'scan'], replaces: { id } });
  expect(Date.parse(rotated.replaces.expiresAt) - Date.parse(rotated.createdAt)).toBeLessThan(7 * DAY + 1000);
  expect(Date.parse(rotated.expiresAt) - Date.parse(rotated.createdAt)).toBe(90 * DAY);
  expect(await run(listKeys, {})).toContain(`replaced by ${rotated.id}, 7 days left`);

  // By the key itself, as of one that has leaked.
  expect(await run(revokeKey, { id: rotated.key })).toMatch(
    `The key ${rotated.id} (laptop) of ada is revoked, as of 20`,
  );
  const { keys } = await facts(listKeys, { user: 'ada' });
  expect(keys.map((one: { state: string }) => one.state)).toEqual(['active', 'revoked']);
  expect((await facts(listKeys, { user: 'bob' })).keys).toEqual([]);
});

test('when the last key ends, the commands say that a server stays closed, and how to open it again', async () => {
  const [first, second] = [
    await facts(createKey, { scope: 'read', user: 'ada' }),
    await facts(createKey, { scope: 'read', user: 'bob' }),
  ];
  expect(await facts(revokeKey, { id: first.id })).toMatchObject({ linksEnded: true, activeKeys: 1 });
  const said = await run(revokeKey, { id: second.id });
  expect(said).toContain('No key is active now: a server refuses every caller');
  expect(said).toContain('until magpie key create makes a new key');
  expect(said).toContain('It does not become open again');
  expect(said).toContain('takes another data folder: magpie kb export and magpie kb import move the texts');
  expect(await (await services.identity.access()).isOpen()).toBe(false);

  const third = await facts(createKey, { scope: 'read', user: 'ada' });
  await facts(createKey, { scope: 'read', user: 'ada' });
  expect(await run(revokeKey, { id: third.id })).not.toContain('No key is active');
  expect(await run(revokeAllKeys, {})).toContain('It does not become open again');
});

test('revoke-all without a key says nothing of closing, and the server stays open', async () => {
  expect(await run(revokeAllKeys, {})).not.toContain('No key is active');
  expect(await (await services.identity.access()).isOpen()).toBe(true);
});

test.each([
  [createKey, {}, '--scope is required: it takes read, write, scan, monitor'],
  [createKey, { scope: 'read,admin' }, '--scope has "admin": it takes read, write, scan, monitor'],
  [createKey, { scope: 'read', expires: 'soon' }, '--expires is "soon": it takes a span such as 90d'],
  [createKey, { scope: 'read', expires: '0d' }, 'it must be longer than 0'],
  [createKey, { scope: 'read', expires: '11y' }, '--expires is "11y"'],
  [rotateKey, { id: 'k2', overlap: '4000d' }, 'up to ten years'],
  [revokeKey, { id: `magpie_${'a'.repeat(38)}` }, 'a character is missing or mistyped'],
  [revokeKey, { id: 'k2' }, 'there is no key "k2"; magpie key list shows'],
] as const)('an invalid line is refused with the reason: %#', async (command, input, words) => {
  await expect(run(command, input)).rejects.toThrow(words);
  expect(await run(listKeys, {})).toContain('There are no keys.');
});

test('revoking a key ends the links and open pages of its user, unless a flag keeps them; revoke-all ends those of all users', async () => {
  // As a running server checks them, in a process of its own.
  const passes = await services.passes();
  const commands = createServices(loadConfig({}, env), log);
  const [first, second] = [
    await facts(createKey, { scope: 'read', user: 'ada' }),
    await facts(createKey, { scope: 'read', user: 'ada' }),
  ];
  const kinds = ['link', 'session', 'file', 'form'] as const;
  const give = (user: string) =>
    Promise.all(kinds.map(async (kind) => [kind, await passes.issuePass(kind, user, 'x.pdf')] as const));
  const good = async (given: Awaited<ReturnType<typeof give>>) => {
    const owners = await Promise.all(given.map(([kind, pass]) => passes.checkPass(kind, pass, 'x.pdf')));
    return owners.filter((owner) => owner !== undefined).length;
  };
  try {
    const [ada, bob] = [await give('ada'), await give('bob')];
    expect(await run(revokeKey, { id: first.id, keepLinks: true }, false, commands)).toContain(
      'open upload pages of ada stay valid: magpie app revoke ends them',
    );
    expect(await good(ada)).toBe(4);
    expect(await run(revokeKey, { id: second.id }, false, commands)).toContain(
      'All links to uploaded files and open upload pages of ada are ended too.',
    );
    expect([await good(ada), await good(bob)]).toEqual([0, 4]);
    const fresh = await give('ada');
    expect(await good(fresh)).toBe(4);
    await run(revokeAllKeys, {}, false, commands);
    expect([await good(fresh), await good(bob)]).toEqual([0, 0]);
    expect(await good(await give('bob'))).toBe(4);
  } finally {
    await commands.lifecycle.close();
  }
});

test('a key belongs to the local user when no other user is named', async () => {
  const made = await facts(createKey, { scope: 'read' });
  expect(made).toMatchObject({ user: 'tester', expiresAt: null, revokedAt: null, scopes: ['read'] });
});

test('the command line accepts --user and --json, and revoke-all needs a terminal or --yes', async () => {
  const made = await runMagpie(['key', 'create', '--scope', 'read,write', '--user', 'ada', '--json'], env);
  expect(JSON.parse(made.stdout)).toMatchObject({ user: 'ada', scopes: ['read', 'write'] });
  const refused = await runMagpie(['key', 'revoke-all'], env);
  expect([refused.code, refused.stdout]).toEqual([2, '']);
  expect(refused.stderr).toContain('there is no terminal to ask at: --yes confirms');
  const revoked = await runMagpie(['key', 'revoke-all', '--yes', '--json'], env);
  expect(revoked.stdout).toBe('{"revoked":1}\n');
});

test('revoke-all asks for confirmation at a terminal', async () => {
  for (const user of ['ada', 'bob', 'cyd']) await run(createKey, { scope: 'read', user });
  // script(1) gives the command a terminal of its own.
  const ask = async (typed: string) => {
    const child = spawn('script', ['-qec', `${process.execPath} ${MAIN} key revoke-all`, '/dev/null'], {
      env: { ...env, SHELL: '/bin/sh', TERM: 'xterm' },
    });
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      if (!text.includes('[y/N]') && (text + chunk).includes('[y/N]')) child.stdin.write(`${typed}\n`);
      text += chunk;
    });
    await once(child, 'close');
    return text;
  };
  const refused = await ask('n');
  expect(refused).toContain('Revoke all 3 keys for good, and end all links?');
  expect(refused).toContain('Nothing was done.');
  expect(await ask('y')).toContain('3 keys are revoked, and all links');
  expect(await facts(revokeAllKeys, {})).toEqual({ revoked: 0 });
});
