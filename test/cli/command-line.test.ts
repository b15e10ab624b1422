import { EventEmitter } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readCommandLine as read } from '../../src/cli/command-line.ts';
import { commands } from '../../src/commands/index.ts';
import { inputSchema } from '../../src/server/input.ts';
import { operations } from '../../tools/index.ts';
import { withoutModel } from '../helpers/embeddings-api.ts';
import { environment, runMagpie, startMagpie, temporaryFolder } from '../helpers/magpie.ts';
import { startWeb, type TestWeb } from '../helpers/web.ts';

/** What a newcomer meets: help, slips of the fingers, switches, read-only, exit codes. */

const folder = temporaryFolder();
let web: TestWeb;
let env: Record<string, string>;
beforeAll(async () => {
  web = await startWeb();
  env = { ...environment(folder.path, web), ...(await withoutModel()) };
});
afterAll(async () => {
  await web.close();
  folder.remove();
});
const readCommandLine = (args: string[]) => read(args, commands, { program: 'magpie', stdin: process.stdin });
const magpie = (...args: string[]) => runMagpie(args, env);
const fault = (...args: string[]) => {
  try {
    readCommandLine(args);
  } catch (error) {
    return (error as Error).message;
  }
  return undefined;
};

describe('help', () => {
  test.each([
    [['kb', '--help'], ['magpie kb export', 'magpie kb import'], ['magpie key create']],
    [['help', 'key'], ['magpie key create', 'magpie key revoke-all'], ['magpie kb export']],
    [['call', '--help'], ['magpie call <operation>', 'upsertToUsersKnowledgeBase'], ['kb export']],
    [['help', 'search'], ['magpie search <q> [flags]', '--percentile'], ['--port']],
    [['help', 'document'], ['magpie document <q> --fileName <fileName> [flags]'], []],
    [['help', 'kb', 'export'], ['magpie kb export [file] [flags]'], ['kb import <']],
    [
      ['serve', '--help'],
      ['magpie serve [flags]', '--port', '--read-only'],
      ['kb export', 'magpie upsert'],
    ],
    [
      ['help', 'stdio'],
      ['magpie stdio [flags]', '--read-only'],
      ['--port', '--rate-requests', 'magpie upsert'],
    ],
    [
      ['--help'],
      [
        'kb export',
        'upsert',
        'magpie help settings',
        'Exit codes: 0 done, 1 failed (3 with scan',
        ', 130 st',
      ],
      ['--port', '--allow-hosts'],
    ],
    [['help'], ['magpie help <any of these>'], []],
    [['help', 'settings'], ['--port', '--allow-hosts', '--read-only'], ['kb export']],
  ])('%j', async (args, there, absent) => {
    const { code, stdout, stderr } = await magpie(...args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const text of there) expect(stdout).toContain(text);
    for (const text of absent) expect(stdout).not.toContain(text);
  });

  test('every operation, command and first word of several has a help text', () => {
    const words = [...operations, ...commands].map(({ name }) => name.split(' '));
    for (const name of [...words, ...words.map(([first = '']) => [first])]) {
      expect(readCommandLine(['help', ...name]).values.help).toBe(true);
      const { kind } = readCommandLine([...name, '--help']).asked;
      expect(name.join(' ') === 'help' ? kind === 'help' : kind !== 'help').toBe(true);
    }
  });

  test('a switch is described as a switch', async () => {
    expect((await magpie('browse', '--help')).stdout).toMatch(
      /--links +a switch: --links, or --no-links, optional. Also list its links/,
    );
  });
});

describe('a typing mistake', () => {
  test.each([
    [['serach', 'x'], 'there is no command "serach" (did you mean magpie search?)'],
    [['kb', 'exprot'], 'there is no command "kb exprot" (did you mean magpie kb export?)'],
    [['help', 'brows'], 'there is no command "brows" (did you mean magpie browse?)'],
    [['map', 'https://a.example/'], 'there is no command "map" (did you mean magpie browse --map?)'],
    [['crawl'], 'there is no command "crawl" (did you mean magpie browse --crawl?)'],
    [['topic'], 'there is no command "topic" (did you mean magpie search --topic?)'],
    [['fetch', 'https://a.example/'], 'there is no command "fetch" (did you mean magpie browse?)'],
    [['https://a.example/'], '(did you mean magpie browse https://a.example/?)'],
    [['google', 'x'], '(did you mean magpie search?)'],
    [['browse', 'https://a.example/', '--page', '2'], "'--page' (did you mean --paging?)"],
    [['search', 'x', '--freshness', 'week'], "'--freshness' (did you mean --timeRange?)"],
    [['sevre'], 'there is no command "sevre" (did you mean magpie serve?)'],
    [['call', 'qeury'], 'there is no operation "qeury" (did you mean query?)'],
    [['search', 'x', '--percntile', '3'], "'--percntile' (did you mean --percentile?); magpie search --help"],
    [['kb', 'export', '--jsn'], "'--jsn' (did you mean --json?); magpie kb export --help"],
    [['serve', '--prot', '80'], "'--prot' (did you mean --port?); magpie serve --help"],
    [['--prot', '80', 'serve'], "'--prot' (did you mean --port?); magpie --help"],
    [['query', 'x', '--top-k', '3'], "'--top-k' (did you mean --topK?)"],
    [['zzzzzz'], 'there is no command "zzzzzz"; magpie --help lists what there is'],
    [['kb'], 'kb is followed by another word: magpie kb export, magpie kb import'],
    [['x'.repeat(10_000)], 'xxx…"; magpie --help'],
  ])('%j', (args, message) => {
    expect(fault(...args)).toContain(message);
  });

  test('ends with exit code 2, as JSON where JSON is requested', async () => {
    expect(await magpie('serach', 'x')).toMatchObject({ code: 2, stdout: '' });
    const { code, stderr } = await magpie('search', 'x', '--percntile', '3', '--json');
    expect(code).toBe(2);
    expect(JSON.parse(stderr).error).toContain('did you mean --percentile?');
  });

  test('in the name of a variable is reported, and the call still runs', async () => {
    const more = {
      MAGPIE_PROT: '1',
      MAGPIE_COLOUR: 'red',
      MAGPIE_DATA_DIR: '/x',
      MAGPIE_TEST_X: '1',
      MAGPIE_CONFIG: '',
    };
    const { code, stderr } = await runMagpie(['list'], { ...env, ...more, MAGPIE_CONFIG: settings() });
    expect(code).toBe(0);
    expect(stderr.split('\n').sort()).toEqual([
      '',
      'magpie: MAGPIE_COLOUR is not a setting and changes nothing',
      'magpie: MAGPIE_DATA_DIR is not a setting and changes nothing (did you mean MAGPIE_DATA?)',
      'magpie: MAGPIE_PROT is not a setting and changes nothing (did you mean MAGPIE_PORT?)',
    ]);
    const server = await startMagpie({ ...env, MAGPIE_PROT: '1' });
    await expect.poll(server.stderr, { timeout: 60_000 }).toContain('did you mean MAGPIE_PORT?');
    expect(server.stderr()).toMatch(/^magpie is listening on /);
    expect(await server.stop()).toBe(0);
  });
});

test.each([
  [
    ['--monitoring_options', '{"alert_threshold":11}'],
    'alert_threshold is not usable: it takes a number from 0 to 10',
  ],
  [['--monitoring_options', '{"webhook":5}'], 'webhook is not usable: it takes an http or https URL'],
])('the accepted values within a parameter are named: %j', async (options, message) => {
  const { code, stderr } = await magpie('call', 'startMonitoring', '--infrastructure_id', 'x', ...options);
  expect(code).toBe(2);
  expect(stderr).toContain(message);
});

test.each([
  [['scan', '.', '--accept', 'lfs', '--accept', 'foo'], 'accept has "foo": it takes one of large-files, '],
  [['compliance', 'report'], 'takes the id of a check: magpie compliance lists them'],
  [['compliance', 'verify', '/nowhere/report.pdf'], 'cannot be read: it is not there; check the path'],
  [['monitor', 'resend'], 'takes the id of what is watched: magpie monitor lists it'],
  [['monitor', 'start'], 'magpie monitor start takes a URL or a host name, or an id of the inventory'],
  [['monitor', 'start', '127.0.0.1:8998'], 'an entry of the inventory (MAGPIE_INVENTORY)'],
])('an error says what is wrong and what to do next: %j', async (args, message) => {
  const { code, stderr } = await magpie(...args);
  expect(code).toBe(2);
  expect(stderr).toContain(message);
});

test('a probe is announced for a monitored target without a probe, and not once it is stopped or paused', async () => {
  const announced = async (action: string) => {
    const { stdout, stderr } = await magpie('monitor', action, 'shop.example');
    return /Not probed yet/.test(stdout + stderr);
  };
  expect(await announced('start')).toBe(true);
  expect(await announced('pause')).toBe(false);
  expect(await announced('resume')).toBe(true);
  expect(await announced('stop')).toBe(false);
});

/** An empty settings file. */
function settings(): string {
  const file = join(folder.path, 'none.json');
  writeFileSync(file, '{}');
  return file;
}

describe('a flag that is given twice', () => {
  test.each([
    [['search', '--q', 'a', '--q', 'b'], '--q is given twice: it takes one value'],
    [['call', 'listMonitors', '--port', '1', '--port=2'], '--port is given twice'],
    [['browse', '--links', '--no-links', 'https://x.example/'], '--links is given twice'],
    [['monitor', 'start', 'x.example', '--interval', '60', '--interval', '70'], '--interval is given twice'],
  ])('%j', (args, message) => {
    expect(fault(...args)).toContain(message);
  });

  test('the same switch is accepted', () => {
    expect(readCommandLine(['list', '--json', '--json']).values.json).toBe(true);
  });

  test('adds to a list, for every operation that has a list', async () => {
    const lists = operations.flatMap((operation) =>
      Object.entries(inputSchema(operation).properties ?? {})
        .filter(([, { type }]) => type === 'array')
        .map(([name]) => [operation.name, name] as const),
    );
    expect(lists).toContainEqual(['checkCompliance', 'standards']);
    for (const [operation, name] of lists) {
      const { values } = readCommandLine(['call', operation, `--${name}`, 'a', `--${name}`, 'b,c']);
      expect([operation, values[name]]).toEqual([operation, ['a', 'b,c']]);
    }
    // Each of the standards is read: the one that there is not is named, wherever it stands.
    for (const given of [
      ['--standards', 'zzz', '--standards', 'soc2'],
      ['--standards', 'soc2', '--standards', 'zzz'],
    ]) {
      const { code, stderr } = await magpie('call', 'checkCompliance', ...given, '--scope', 'all');
      expect(code).not.toBe(0);
      expect(stderr).toContain('zzz');
    }
  });
});

describe('a switch of an operation', () => {
  test.each([
    [['--links'], true],
    [['--links', 'true'], true],
    [['--links=true'], true],
    [['--links', 'false'], false],
    [['--links=false'], false],
    [['--no-links'], false],
    [[], undefined],
  ])('%j', (flags, links) => {
    for (const args of [
      ['browse', ...flags, 'https://x.example/'],
      ['call', 'browse', 'https://x.example/', ...flags],
    ]) {
      const { values, positionals } = readCommandLine(args);
      expect([values.links, positionals]).toEqual([links, ['https://x.example/']]);
    }
  });

  test('accepts no other value, and no word after --', () => {
    expect(fault('browse', '--links=perhaps')).toContain('takes no value other than true or false');
    expect(readCommandLine(['search', '--json', '--', 'false']).positionals).toEqual(['false']);
  });

  test('changes the result of its operation', async () => {
    const { code, stdout } = await magpie('browse', '--links', `${web.url}/page/magpie-food`, '--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout).results[0]).toHaveProperty('linkCount');
  });
});

describe('read-only', () => {
  const words = /^magpie: .* read-only here: --no-read-only, MAGPIE_READ_ONLY=false .* switches that off\n$/;

  test('commands and operations that change something are refused; the others run', async () => {
    const file = join(folder.path, 'in.jsonl');
    writeFileSync(file, '{"text":"A mill of oak."}\n');
    const refused = [
      ['kb', 'import', file],
      ['index', folder.path],
      ['index', '--forget', 'all', '--yes'],
      ['upsert', 'A mill of elm.'],
      ['reset', '--yes'],
    ];
    for (const args of refused) {
      const { code, stdout, stderr } = await magpie(...args, '--read-only');
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toMatch(words);
    }
    for (const args of [
      ['index', '--list'],
      ['kb', 'export'],
      ['query', 'mill'],
      ['key', 'list'],
    ]) {
      expect((await magpie(...args, '--read-only')).code).toBe(0);
    }
    expect((await magpie('kb', 'export')).stdout).toBe('');
    env.MAGPIE_READ_ONLY = 'true';
    expect((await magpie('kb', 'import', file)).code).toBe(1);
    expect(await magpie('kb', 'import', file, '--no-read-only')).toMatchObject({ code: 0 });
    delete env.MAGPIE_READ_ONLY;
  });

  test('changes are refused over REST and MCP too', async () => {
    const server = await startMagpie(env, ['--read-only']);
    const answer = await fetch(`${server.url}/reset?q=`);
    expect([answer.status, await answer.json()]).toEqual([
      403,
      { error: expect.stringContaining('reset changes stored data, and Magpie runs read-only here') },
    ]);
    expect((await fetch(`${server.url}/upsertjson`, { method: 'POST', body: '{}' })).status).toBe(403);
    expect((await fetch(`${server.url}/nothing`)).status).toBe(404);
    const call = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name: 'upsert',
        arguments: { q: 'x' },
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    };
    const told = await fetch(`${server.url}/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': 'upsert',
      },
      body: JSON.stringify(call),
    });
    expect(await told.text()).toContain('upsert changes stored data, and Magpie runs read-only here');
    expect(await server.stop()).toBe(0);
  });
});

describe('exit codes', () => {
  test('0 is done, 1 is failed, 2 is wrong usage', async () => {
    expect((await magpie('list')).code).toBe(0);
    expect((await magpie('browse', 'http://127.0.0.1:9/')).code).toBe(1);
    expect((await magpie('search', 'x', '--percentile', '0')).code).toBe(2);
  });

  test('1 means that the requested item does not exist', async () => {
    expect(await magpie('deleteEntry', 'nope')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'magpie: There is no entry nope: nothing was deleted.\n',
    });
    const { code, stdout } = await magpie('deleteEntry', 'nope', '--json');
    expect([code, JSON.parse(stdout)]).toMatchObject([1, { deleted: 0 }]);
  });

  test('130 means stopped, for operations and commands', async () => {
    const stopped = async (args: string[], ready: () => boolean) => {
      const signals = new EventEmitter();
      const run = runMagpie(args, env, { signals });
      await expect.poll(ready).toBe(true);
      signals.emit('SIGINT');
      return (await run).code;
    };
    expect(await stopped(['browse', `${web.url}/hang?a`], () => web.asked.includes('/hang?a'))).toBe(130);
    expect(await stopped(['index', `${web.url}/hang?b`], () => web.asked.includes('/robots.txt'))).toBe(130);
  });

  test('a missing q that may be empty is reported as such', async () => {
    const server = await startMagpie(env);
    for (const path of ['metadatakb', 'reset', 'resetKnowledgeBase']) {
      const answer = await fetch(`${server.url}/${path}`);
      expect([answer.status, await answer.json()]).toEqual([
        400,
        { error: 'no query was provided: q is required, and may be empty (q=)' },
      ]);
    }
    expect((await fetch(`${server.url}/metadatakb?q=`)).status).toBe(200);
    expect(await server.stop()).toBe(0);
  });
});
