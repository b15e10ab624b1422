import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  createRepositoryAccess,
  type RepositoriesOptions,
} from '../../../../src/security/git/remote/repositories.ts';
import type { OpenFileTree, TreeRequest } from '../../../../src/security/trees/tree.ts';
import { bareRepository, type GitSite, git, startGitDaemon, startGitSite } from '../../../helpers/git.ts';
import { pastOf, textsOf, withTree as withTreeIn } from '../../../helpers/repositories.ts';

const base = mkdtempSync(join(tmpdir(), 'magpie-fetch-'));
const served = join(base, 'served');
let site: GitSite;
let ids: string[] = [];

beforeAll(async () => {
  site = await startGitSite(served);
  const one = await bareRepository(join(served, 'one.git'), [
    [
      { path: 'old.txt', data: 'a secret of the past' },
      { path: 'a.txt', data: 'first' },
    ],
    [
      { path: 'a.txt', data: 'second' },
      { path: 'src/b.ts', data: 'export const b = 1;\n' },
    ],
  ]);
  await git(one, ['branch', 'feature/one', 'main~1']);
  await git(one, ['tag', '-a', '-m', 'a tag', 'v1', 'main~1']);
  await git(one, ['branch', 'both', 'main']);
  await git(one, ['tag', 'both', 'main~1']);
  ids = (await git(one, ['rev-list', 'main'])).split('\n');
});
beforeEach(() => {
  site.asked.length = 0;
  site.intercept = () => false;
});
afterAll(async () => {
  await site.close();
  rmSync(base, { recursive: true, force: true });
});

const withTree = <T>(
  request: Partial<TreeRequest> & { repository: string },
  use: (tree: OpenFileTree) => Promise<T> | T,
  options: Partial<RepositoriesOptions> = {},
  watch: { signal?: AbortSignal; progress?: (message: string) => void } = {},
) => withTreeIn(base, request, use, { allowHosts: [site.host], ...options }, watch);

describe('over http', () => {
  test('the default branch is fetched without its history', async () => {
    await withTree({ repository: `${site.url}/one.git` }, async (tree) => {
      expect(tree.commit).toBe(ids[0]);
      expect(await textsOf(tree)).toEqual({ 'a.txt': 'second', 'src/b.ts': 'export const b = 1;\n' });
      expect(tree.left).toEqual([]);
      expect(await pastOf(tree)).toEqual([]);
    });
  });

  test.each([
    ['a branch', 'feature/one', 1],
    ['a tag', 'v1', 1],
    ['a full name', 'refs/tags/v1', 1],
    ['a branch before a tag of the same name', 'both', 0],
  ])('%s', async (_, branch, index) => {
    await withTree({ repository: `${site.url}/one.git`, branch }, (tree) => {
      expect(tree.commit).toBe(ids[index]);
    });
  });

  test('a commit can be fetched by its id', async () => {
    await withTree({ repository: `${site.url}/one.git`, branch: ids[1] ?? '' }, (tree) => {
      expect(tree.commit).toBe(ids[1]);
    });
  });

  test('the whole history is fetched, and each content is read once', async () => {
    await withTree({ repository: `${site.url}/one.git`, history: true }, async (tree) => {
      const past = await pastOf(tree);
      expect(
        past.map(({ path, commit, content }) => [path, commit, Buffer.from(content).toString()]),
      ).toEqual([
        ['a.txt', ids[1], 'first'],
        ['old.txt', ids[1], 'a secret of the past'],
      ]);
    });
  });

  test('progress is reported in our own words', async () => {
    const heard: string[] = [];
    await withTree(
      { repository: `${site.url}/one.git` },
      () => {},
      {},
      { progress: (message) => heard.push(message) },
    );
    expect(heard).toContain('receiving objects: 100 %');
  });

  test.each([
    [
      'an unknown branch',
      { repository: '/one.git', branch: 'featur/one' },
      'not_found',
      /no branch or tag "featur\/one", its default branch is "main"; the nearest are "feature\/one"/,
    ],
    [
      'an unknown commit',
      { repository: '/one.git', branch: 'a'.repeat(40) },
      'not_found',
      /a commit is named by its full id/,
    ],
    ['an unknown repository', { repository: '/two.git' }, 'not_found', /two\.git is not there/],
    ['what is not a repository', { repository: '/page' }, 'upstream', /does not answer as a git server/],
    [
      'a repository without a commit',
      { repository: '/empty.git' },
      'not_found',
      /has no commit: it is empty/,
    ],
  ])('%s', async (_, request, code, message) => {
    await bareRepository(join(served, 'empty.git'), []);
    site.intercept = (asked, response) => {
      if (asked.url?.startsWith('/page'))
        response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html>\n<p>Hello</p>\n');
      return asked.url?.startsWith('/page') === true;
    };
    const error = await withTree({ ...request, repository: site.url + request.repository }, () => {}).catch(
      (e) => e,
    );
    expect(error).toMatchObject({ code, message: expect.stringMatching(message) });
    expect(error.message).not.toContain(base);
  });

  test('a fetch over the size limit is refused', async () => {
    await bareRepository(join(served, 'large.git'), [
      [{ path: 'large.bin', data: Buffer.from(crypto.getRandomValues(new Uint8Array(60_000))) }],
    ]);
    const limits = { fetchBytes: 30_000 };
    await expect(
      withTree({ repository: `${site.url}/large.git` }, () => {}, { limits }),
    ).rejects.toMatchObject({
      code: 'too_large',
      message: expect.stringMatching(/large\.git is over .*MAGPIE_SCAN_FETCH_BYTES/),
    });
  });

  test('files over the size limit are not fetched when the server can leave them out', async () => {
    const data = Buffer.from(crypto.getRandomValues(new Uint8Array(60_000)));
    const folder = await bareRepository(join(served, 'filtered.git'), [
      [
        { path: 'large', data },
        { path: 'a', data: 'a' },
      ],
    ]);
    await git(folder, ['config', 'uploadpack.allowFilter', 'true']);
    const limits = { fetchBytes: 30_000, fileBytes: 1000 };
    await withTree(
      { repository: `${site.url}/filtered.git`, history: true },
      async (tree) => {
        expect(await textsOf(tree)).toEqual({ a: 'a' });
        expect(tree.left).toEqual(['1 file over 1000 bytes']);
        expect(await pastOf(tree)).toEqual([]);
      },
      { limits },
    );
  });
});

describe('private repositories', () => {
  const password = `ghp_${'x'.repeat(36)}`;
  const guarded = (request: IncomingMessage) =>
    request.headers.authorization !== `Basic ${Buffer.from(`x-access-token:${password}`).toString('base64')}`;

  beforeEach(() => {
    site.intercept = (request, response) => {
      if (!guarded(request)) return false;
      response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
      return true;
    };
  });

  test('are opened with the token of their host', async () => {
    const tokens = [`${site.host}=${password}`];
    await withTree({ repository: `${site.url}/one.git` }, (tree) => expect(tree.commit).toBe(ids[0]), {
      tokens,
    });
  });

  test.each([
    ['none', [], /is not there or needs a login: .* MAGPIE_GIT_TOKENS/],
    ['a wrong one', ['127.0.0.1=wrong-word'], /does not take the token/],
    ['one of another host', ['git.example.org=wrong-word'], /needs a login/],
  ])('name the setting to use with %s', async (_, tokens, message) => {
    const error = await withTree({ repository: `${site.url}/one.git` }, () => {}, { tokens }).catch((e) => e);
    expect(error).toMatchObject({ code: 'forbidden', message: expect.stringMatching(message) });
    expect(`${error.message} ${error.cause}`).not.toContain('wrong-word');
  });

  test('do not send their token to the target of a redirect', async () => {
    const other = await startGitSite(served);
    try {
      other.intercept = (_, response) => {
        response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
        return true;
      };
      site.intercept = (request, response) => {
        response.writeHead(302, { location: other.url + request.url }).end();
        return true;
      };
      const options = { tokens: [`${site.host}=${password}`], allowHosts: [site.host, other.host] };
      await expect(withTree({ repository: `${site.url}/one.git` }, () => {}, options)).rejects.toThrow(
        /login|token/,
      );
      expect(other.asked.length).toBeGreaterThan(0);
      expect(other.asked.filter(({ authorization }) => authorization !== undefined)).toEqual([]);
    } finally {
      await other.close();
    }
  });
});

describe('the address guard', () => {
  test.each([
    ['http', 'https://127.0.0.1:9/one.git'],
    ['http, plain', 'http://127.0.0.1:9/one.git'],
    ['git', 'git://127.0.0.1:9418/one.git'],
    ['ssh', 'ssh://git@127.0.0.1/one.git'],
    ['ssh, short', 'git@localhost:one.git'],
    ['the metadata address', 'https://169.254.169.254/latest'],
    ['an address in odd spelling', 'https://0x7f.1/one.git'],
  ])('refuses a private host over %s', async (_, repository) => {
    await expect(withTree({ repository }, () => {}, { allowHosts: [] })).rejects.toMatchObject({
      code: 'forbidden',
      message: expect.stringContaining('MAGPIE_ALLOW_HOSTS'),
    });
  });

  test('refuses a redirect to a private address', async () => {
    const inner = await startGitSite(served);
    try {
      site.intercept = (request, response) => {
        response.writeHead(302, { location: inner.url + request.url }).end();
        return true;
      };
      await expect(withTree({ repository: `${site.url}/one.git` }, () => {})).rejects.toMatchObject({
        code: 'forbidden',
        message: expect.stringContaining(inner.host),
      });
      expect(inner.asked).toEqual([]);
    } finally {
      await inner.close();
    }
  });

  test('follows a redirect to an allowed address', async () => {
    site.intercept = (request, response) => {
      const moved = request.url?.startsWith('/moved.git') === true;
      if (moved) response.writeHead(301, { location: request.url?.replace('/moved', '/one') }).end();
      return moved;
    };
    await withTree({ repository: `${site.url}/moved.git` }, (tree) => expect(tree.commit).toBe(ids[0]));
  });

  test('accepts plain http only for hosts that the operator named', async () => {
    await expect(withTree({ repository: 'http://example.org/a.git' }, () => {})).rejects.toMatchObject({
      code: 'bad_request',
      message: expect.stringMatching(/plain http.*use https/),
    });
  });
});

describe('servers that misbehave', () => {
  test('a server that sends without end is cut off', async () => {
    site.intercept = (_, response) => {
      response.writeHead(200, { 'content-type': 'application/x-git-upload-pack-advertisement' });
      const line = `003f${'a'.repeat(40)} refs/heads/${'b'.repeat(6)}\n`.repeat(2000);
      const more = () => {
        while (!response.destroyed && response.write(line));
      };
      response.write('001e# service=git-upload-pack\n0000');
      response.on('drain', more);
      more();
      return true;
    };
    const limits = { fetchBytes: 20 * 2 ** 20 };
    await expect(withTree({ repository: `${site.url}/one.git` }, () => {}, { limits })).rejects.toMatchObject(
      {
        code: expect.stringMatching(/too_large|upstream/),
      },
    );
  });

  test('a server that hangs is left when the caller cancels', async () => {
    const { promise: asked, resolve: heard } = Promise.withResolvers<ServerResponse>();
    site.intercept = (_, response) => {
      heard(response);
      return true;
    };
    const controller = new AbortController();
    const failing = expect(
      withTree({ repository: `${site.url}/one.git` }, () => {}, {}, { signal: controller.signal }),
    ).rejects.toBe('enough');
    const left = once(await asked, 'close');
    controller.abort('enough');
    await failing;
    // The process that asked is gone, too.
    await left;
  });

  test('a server that hangs is left at the time limit', async () => {
    site.intercept = () => true;
    const limits = { fetchMs: 300 };
    await expect(withTree({ repository: `${site.url}/one.git` }, () => {}, { limits })).rejects.toMatchObject(
      {
        code: 'timeout',
        message: expect.stringContaining('within 0.3 s'),
      },
    );
  });

  test('a server that closes the connection is an upstream error', async () => {
    site.intercept = (_, response) => {
      response.destroy();
      return true;
    };
    await expect(withTree({ repository: `${site.url}/one.git` }, () => {})).rejects.toMatchObject({
      code: 'upstream',
    });
  });
});

describe('over git and ssh', () => {
  test('a branch is fetched from a git daemon', async () => {
    const daemon = await startGitDaemon(served);
    try {
      const options = { allowHosts: [`127.0.0.1:${daemon.port}`] };
      const repository = `git://127.0.0.1:${daemon.port}/one.git`;
      await withTree({ repository, branch: 'v1' }, (tree) => expect(tree.commit).toBe(ids[1]), options);
      await expect(
        withTree({ repository: `git://127.0.0.1:${daemon.port}/none.git` }, () => {}, options),
      ).rejects.toMatchObject({ code: 'not_found' });
    } finally {
      daemon.close();
    }
  });

  test('a repository is fetched over ssh through the relay, without the configuration of the user', async () => {
    // Stands for ssh: carries bytes to the port that it is given, where git answers.
    const bin = mkdtempSync(join(base, 'bin-'));
    const told = join(bin, 'told');
    writeFileSync(
      join(bin, 'ssh'),
      `#!${process.execPath}
const { writeFileSync } = require('node:fs');
writeFileSync(${JSON.stringify(told)}, JSON.stringify({ args: process.argv.slice(2), env: process.env }));
const port = process.argv.find((word) => word.startsWith('Port=')).slice(5);
const socket = require('node:net').connect(Number(port), '127.0.0.1');
process.stdin.pipe(socket).pipe(process.stdout);
`,
      { mode: 0o755 },
    );
    const server = createServer((socket) => {
      const child = spawn('git', ['upload-pack', join(served, 'one.git')], { stdio: 'pipe' });
      for (const stream of [socket, child.stdin]) stream.on('error', () => {});
      socket.pipe(child.stdin);
      child.stdout.pipe(socket);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    try {
      await withTree(
        { repository: `ssh://git@127.0.0.1:${port}/srv/it's.git`, branch: 'main' },
        (tree) => expect(tree.commit).toBe(ids[0]),
        { allowHosts: [`127.0.0.1:${port}`], searchPath: `${bin}:/usr/bin:/bin`, sshKey: '/keys/one' },
      );
      const { args, env } = JSON.parse(readFileSync(told, 'utf8'));
      expect(args.slice(0, 2)).toEqual(['-F', '/dev/null']);
      expect(args).toContain(`HostKeyAlias=[127.0.0.1]:${port}`);
      expect(args).toContain('IdentityFile="/keys/one"');
      expect(args.slice(-2)).toEqual(['git@127.0.0.1', "git-upload-pack '/srv/it'\\''s.git'"]);
      expect(Object.keys(env)).not.toContain('SSH_AUTH_SOCK');
      expect(Object.keys(env).filter((name) => /^(MAGPIE|VITEST|NODE)/.test(name))).toEqual([]);
    } finally {
      server.close();
    }
  });

  test('a missing or too old git is reported as unavailable', async () => {
    const repository = `${site.url}/one.git`;
    await expect(withTree({ repository }, () => {}, { searchPath: '/nonexistent' })).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('git is not installed'),
    });
    const searchPath = mkdtempSync(join(base, 'bin-'));
    writeFileSync(join(searchPath, 'git'), '#!/bin/sh\necho git version 2.30.9\n', { mode: 0o755 });
    await expect(withTree({ repository }, () => {}, { searchPath })).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('git 2.30 is too old: Magpie needs 2.31'),
    });
    expect(site.asked).toEqual([]);
  });
});

test('the files of a killed process are removed at the next start, and the files of a living process stay', async () => {
  const folder = mkdtempSync(join(base, 'data-'));
  const options = { folder, roots: [], allowHosts: [site.host] };
  const request = { repository: `${site.url}/one.git`, history: false, anyFolder: false };
  const watch = { signal: new AbortController().signal, progress: () => {} };
  const living = createRepositoryAccess(options);
  const tree = await living.open(request, watch);
  const [inUse = ''] = readdirSync(join(folder, 'scans'));
  // As of a process that was killed: a folder whose lock no process holds.
  await bareRepository(join(folder, 'scans', 'run-killed', 'scan-1'), []);
  const next = createRepositoryAccess(options);
  await (await next.open(request, watch)).close();
  expect(existsSync(join(folder, 'scans', 'run-killed'))).toBe(false);
  expect(existsSync(join(folder, 'scans', inUse))).toBe(true);
  expect(await tree.read(tree.files[0] ?? expect.fail('no file'))).toBeDefined();
  await Promise.all([living.close(), next.close()]);
  expect(readdirSync(join(folder, 'scans'))).toEqual([]);
});
