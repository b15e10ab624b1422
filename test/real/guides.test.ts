import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Server as NetServer } from 'node:net';
import { delimiter, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CLIENT, runCommandsHere } from '../helpers/command-host.ts';
import { withoutModel } from '../helpers/embeddings-api.ts';
import { git } from '../helpers/git.ts';
import { commandsOf, GUIDES, namedCommandsOf } from '../helpers/guides.ts';
import { BOOKMARKS_HTML, EXPORTS, zipped } from '../helpers/import-samples.ts';
import {
  environment,
  type RunningProcess,
  runMagpie,
  spawnServer,
  temporaryFolder,
} from '../helpers/magpie.ts';
import { makePdf } from '../helpers/pdf.ts';
import { startWeb, type TestWeb } from '../helpers/web.ts';

/**
 * What README and the guides say to type, typed: each line of theirs in a shell, in their order, with addresses of this machine
 * in place of those of the web; its `magpie` is the program's own `main` in this process. What another test runs, or what takes a program that is not here, stands in ELSEWHERE.
 */

const ELSEWHERE: readonly (readonly [RegExp, string])[] = [
  [/^npm (ci|start|run build)$/, '.ci/run, test/server/stop.test.ts, test/real/package.test.ts'],
  [/^npm pack$|^npx @modelcontextprotocol\/inspector /, 'test/real/package.test.ts'],
  [
    /^magpie serve$|^create(user|db) |^psql |migrate --to|^export /,
    'test/real/postgres, test/remote-guide.test.ts',
  ],
  [/magpie\.example\.org/, 'test/remote-guide.test.ts'],
  [/^(npm run -s magpie --|magpie) tour$/, 'test/real/tour.test.ts'],
  [/ --watch$/, 'test/real/kb-sync.test.ts'],
  [/^(sudo|docker|kubectl|helm|cp|mkdir|cd) /, '.ci/deploy holds the files against their linters'],
  [/^(curl -T|link=)/, 'test/server/app/app.test.ts'],
  [/^checkov|terragoat|^npm run bench/, 'figures, with repositories that are fetched'],
  [/^openssl|^magpie compliance verify/, 'test/real/compliance-seal.test.ts'],
  [/^magpie compliance retract/, 'test/commands/compliance.test.ts'],
];

/** Ends with 1, since what it looks for is there. */
const ENDS_WITH_1 = /^magpie scan (?!.*--(?:diff|agents)).*--fail-on/;
/** Has a data folder of its own: a key closes an open server, and a user is deleted where no server runs. */
const APART = /^magpie (key|user) /;

const folder = temporaryFolder();
const at = (...names: string[]) => join(folder.path, ...names);
const ENTRIES = ['ada-1763710000000000', 'ada-1763710000000042'];
let web: TestWeb;
let pages: Server;
let origin = '';
let magpie: RunningProcess;
let env: Record<string, string>;
let commands: NetServer;

beforeAll(async () => {
  web = await startWeb();
  pages = createServer((request, response) => {
    const page = `<!doctype html><html lang="en"><head><title>A feeder</title></head><body><main><h1>A feeder</h1>
      <p>It is ${request.url}. Magpies take nuts from it, and hide what they cannot eat on the same day.</p>
      <h2>Prices</h2><table><tr><th>Name</th><th>Price</th></tr><tr><td>Feeder</td><td>12.50</td></tr></table>
      <p><a href="/guide/filling">How it is filled</a></p></main></body></html>`;
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page);
  });
  await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve));
  const { port } = pages.address() as AddressInfo;
  origin = `http://127.0.0.1:${port}`;
  await writeFiles();
  const shared = { ...environment(at('data'), web), ...(await withoutModel()) };
  env = {
    ...shared,
    HOME: folder.path,
    PATH: [at('bin'), shared.PATH].join(delimiter),
    MAGPIE_USER: 'ada',
    MAGPIE_ALLOW_HOSTS: `${web.host},127.0.0.1:${port}`,
    KEY: 'a-key-of-a-platform',
  };
  magpie = await spawnServer(env);
  commands = await runCommandsHere(at('socket'));
});
afterAll(async () => {
  commands.close();
  await magpie.stop();
  pages.closeAllConnections();
  pages.close();
  await web.close();
  folder.remove();
});

/** What the guides speak of: files of a person, a repository with a hole, and `magpie` on the path. */
async function writeFiles(): Promise<void> {
  for (const name of ['bin', 'data', 'letters', 'Notes', 'work/docs', 'Downloads', 'backups', '.magpie'])
    mkdirSync(at(name), { recursive: true });
  writeFileSync(at('bin', 'magpie'), `#!/bin/sh\nexec ${process.execPath} ${CLIENT} ${at('socket')} "$@"\n`);
  chmodSync(at('bin', 'magpie'), 0o755);
  writeFileSync(at('letters/lease.pdf'), makePdf(['The lease of the mill ends in June.']));
  writeFileSync(at('records.pdf'), makePdf(['All staff took part.']));
  writeFileSync(at('Notes/garden.md'), '# Garden\n\nThe gate is green.\n');
  writeFileSync(at('bookmarks.html'), BOOKMARKS_HTML);
  writeFileSync(at('shop.cdx.json'), '{"bomFormat":"CycloneDX","specVersion":"1.6","components":[]}');
  writeFileSync(at('chatgpt-export.zip'), zipped(EXPORTS.chatgpt?.[0] ?? {}));
  writeFileSync(at('Downloads/notion-export.zip'), zipped(EXPORTS.notion?.[0] ?? {}));
  const lines = ENTRIES.map(
    (id) =>
      `${JSON.stringify({ id, text: `The key of entry ${id}.`, createdAt: Number(id.split('-')[1]) })}\n`,
  );
  writeFileSync(at('backup.jsonl.gz'), gzipSync(lines.join('')));
  writeFileSync(
    at('.magpie/attestations.yaml'),
    'attestations:\n  - standard: pci-dss\n    control: "12.6.1"\n    verdict: pass\n    at: 2026-11-20\n    by: Ann Lee\n    why: All staff took part\n    until: 2027-06-30\n',
  );
  writeFileSync(
    at('app.js'),
    `const { exec } = require('node:child_process');\napp.get('/ping', (req, res) => {\n  exec(\`ping -c 1 \${req.query.host}\`, (error, out) => res.send(out));\n});\n`,
  );
  writeFileSync(at('.gitignore'), 'data\napart\nbin\n');
  await git(folder.path, ['init', '-q', '-b', 'main']);
  await git(folder.path, ['add', 'app.js', '.gitignore']);
  await git(folder.path, ['commit', '-qm', 'First']);
  await git(folder.path, ['update-ref', 'refs/remotes/origin/main', 'HEAD']);
}

/** The command with this machine's addresses, and its folders. */
function here(command: string): string {
  return command
    .replace('npm run -s magpie --', 'magpie')
    .replaceAll('http://127.0.0.1:8787', magpie.url)
    .replace('https://github.com/acme/shop.git', '.')
    .replaceAll(/https:\/\/[\w.-]+/g, origin)
    .replaceAll('/mnt/backups', at('backups'))
    .replace('/automationrpa ', '/automationrpa -d dryRun=true ');
}

async function type(
  command: string,
  data: string,
): Promise<{ readonly code: number; readonly said: string }> {
  return new Promise((resolve) => {
    const shell = execFile(
      'bash',
      ['-c', command],
      { cwd: folder.path, env: { ...env, MAGPIE_DATA: data }, timeout: 240_000 },
      (error, stdout, stderr) => {
        resolve({
          code: typeof error?.code === 'number' ? error.code : error ? -1 : 0,
          said: stdout + stderr,
        });
      },
    );
    shell.stdin?.end();
  });
}

const typed = GUIDES.flatMap((guide) => commandsOf(guide).map((command) => [guide, command] as const)).filter(
  ([, command]) => !ELSEWHERE.some(([pattern]) => pattern.test(command)),
);

test('each excluded line of this test is a command of a guide', () => {
  const all = GUIDES.flatMap(commandsOf);
  expect(ELSEWHERE.filter(([pattern]) => !all.some((command) => pattern.test(command)))).toEqual([]);
});

test.each(typed)('%s: %s', async (_guide, command) => {
  const { code, said } = await type(here(command), at(APART.test(command) ? 'apart' : 'data'));
  const expected = ENDS_WITH_1.test(command) ? 1 : 0;
  expect({ code, said }).toEqual({ code: expected, said: expect.any(String) });
  if (command.startsWith('curl ')) expect(said).not.toMatch(/"error"/);
});

test('each command in a guide exists and accepts the flags in the guide', async () => {
  const wrong: string[] = [];
  for (const guide of GUIDES) {
    for (const command of namedCommandsOf(guide)) {
      const words = command
        .replace(/[|>].*/, '')
        .trim()
        .split(/\s+/)
        .slice(1);
      const flags = words.filter((word) => /^--[a-z]/.test(word)).map((word) => word.replace(/=.*/, ''));
      const names = words.slice(0, words.findIndex((word) => !/^[a-zA-Z][a-zA-Z-]*$/.test(word)) >>> 0);
      const help = await helpOf(names);
      if (help === undefined) wrong.push(`${guide}: ${command}`);
      for (const flag of flags) if (!help?.includes(flag)) wrong.push(`${guide}: ${command} (${flag})`);
    }
  }
  expect(wrong).toEqual([]);
});

/** The help of the longest beginning of these words that is a command; undefined where none is. */
async function helpOf(words: readonly string[]): Promise<string | undefined> {
  for (const many of [2, 1]) {
    const asked = words.slice(0, many);
    if (asked.length < many) continue;
    const { code, stdout } = await runMagpie([...asked, '--help'], env);
    if (code === 0) return stdout + readFileSync(new URL('../../docs/settings.md', import.meta.url), 'utf8');
  }
  return words.length === 0 ? '' : undefined;
}
