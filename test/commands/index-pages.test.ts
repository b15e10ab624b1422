import { spawn } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { exitOf } from '../helpers/exit-of.ts';
import { environment, type Finished, MAIN, runMagpie, temporaryFolder } from '../helpers/magpie.ts';
import { makePdf } from '../helpers/pdf.ts';
import { article, startSite, type TestSite } from '../helpers/site.ts';

let data: ReturnType<typeof temporaryFolder>;
let folder: ReturnType<typeof temporaryFolder>;
let site: TestSite;
let env: Record<string, string>;
beforeEach(async () => {
  data = temporaryFolder();
  folder = temporaryFolder();
  site = await startSite();
  env = { ...environment(data.path), MAGPIE_ENGINES: 'local', MAGPIE_ALLOW_HOSTS: site.host };
});
afterEach(async () => {
  await site.close();
  data.remove();
  folder.remove();
});

const magpie = (...args: string[]) => runMagpie(args, env);
const write = (name: string, content: string | Uint8Array) => writeFileSync(join(folder.path, name), content);
const linksIn = ({ stdout }: Finished) =>
  (JSON.parse(stdout).results as { link: string }[]).map(({ link }) => link);

describe('a folder', () => {
  const notes = temporaryFolder();
  const kept = temporaryFolder();
  const own = { ...environment(kept.path), MAGPIE_ENGINES: 'local', MAGPIE_PAGE_BYTES: '1000000' };
  const inNotes = (...args: string[]) => runMagpie(args, own);
  const note = (name: string, content: string | Uint8Array) => writeFileSync(join(notes.path, name), content);
  const urlOf = (name: string) => pathToFileURL(join(notes.path, name)).href;
  const foundAs = async (user: string, ...words: string[]) =>
    linksIn(await inNotes('ultrafastsearch', ...words, '--json', '--user', user));
  let indexed: Finished;
  beforeAll(async () => {
    mkdirSync(join(notes.path, 'deep', '.git'), { recursive: true });
    note('notes.md', '# Crossing rivers\n\nThe heron crosses the river at dawn.\n');
    note('deep/page.html', article('jackdaw').body as string);
    note('deep/report.pdf', makePdf(['The wagtail report of the year has one page of text.']));
    note('鳥.txt', '一只喜鹊在树上筑巢，邻居们都很高兴。');
    note('deep/.git/config', 'heron secret');
    note('photo.png', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'));
    note('program', Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 0, 0, 0]));
    note('empty.txt', '');
    note('large.txt', 'heron '.repeat(200_000));
    const outside = join(kept.path, 'outside.txt');
    writeFileSync(outside, 'The outside heron must not be read.');
    symlinkSync(outside, join(notes.path, 'link.txt'));
    symlinkSync(kept.path, join(notes.path, 'linked'));
    symlinkSync('.', join(notes.path, 'loop'));
    indexed = await inNotes('index', notes.path);
  });
  afterAll(() => {
    notes.remove();
    kept.remove();
  });

  test('search finds its texts, pages and PDFs; other files are reported by reason', async () => {
    const { code, stdout, stderr } = indexed;
    expect(code).toBe(0);
    expect(stderr).not.toContain('magpie:');
    expect(stdout).toContain(`Read the folder ${notes.path}.\n       4  indexed\n`);
    for (const why of [
      '3  a symbolic link',
      '2  no text that is read',
      '1  empty',
      '1  hidden, or made by machines',
      '1  larger than MAGPIE_PAGE_BYTES',
    ]) {
      expect(stdout).toContain(why);
    }
    const asked = ['heron', 'wagtail report', 'jackdaw', '喜鹊', '鹊', '邻居们高兴吗'];
    expect(await Promise.all(asked.map((words) => foundAs('tester', words)))).toEqual([
      [urlOf('notes.md')],
      [urlOf('deep/report.pdf')],
      [urlOf('deep/page.html')],
      [urlOf('鳥.txt')],
      [urlOf('鳥.txt')],
      [urlOf('鳥.txt')],
    ]);
  });

  test('search reads the text of an indexed file, with no network and no engine', async () => {
    const [mine, others] = await Promise.all([
      inNotes('search', 'heron', 'river'),
      inNotes('search', 'heron', '--user', 'someone-else'),
    ]);
    expect(mine.code).toBe(0);
    expect(mine.stdout).toMatch(/^=== result 1 of \d+: Crossing rivers ===$/m);
    expect(mine.stdout).toContain('The heron crosses the river at dawn.');
    expect(others.stdout).toContain('Nothing was found');
    expect(others.stdout).toMatch(/`magpie index` adds .* every page that is read is kept/);
    expect(others.stdout).not.toContain('Crossing rivers');
  });

  test('browse reads its pages from the index, for the owner only; no other file is read', async () => {
    note('later.md', '# Later\n\nThis one was not indexed.\n');
    renameSync(join(notes.path, 'notes.md'), join(notes.path, 'away'));
    const mine = await inNotes('browse', urlOf('notes.md'));
    renameSync(join(notes.path, 'away'), join(notes.path, 'notes.md'));
    expect(mine).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('The heron crosses the river at dawn.'),
    });
    for (const args of [
      [urlOf('notes.md'), '--user', 'someone-else'],
      [urlOf('later.md')],
      ['file:///etc/passwd'],
    ]) {
      const refused = await inNotes('browse', ...args);
      expect(refused.code).not.toBe(0);
      expect(refused.stdout).toBe('');
      expect(refused.stderr).toContain('only those in your local index can be read');
    }
    rmSync(join(notes.path, 'later.md'));
  });

  test('--list shows the indexed files, and --forget removes them', async () => {
    const lister = (...args: string[]) => inNotes(...args, '--user', 'lister');
    await lister('index', notes.path, '--exclude', 'large');
    const { stdout } = await lister('index', '--list');
    expect(stdout).toMatch(/^4 pages with 0\.0 MB of text \(at most 100000 pages and 2000 MB are kept/);
    expect(stdout).toMatch(/\(folder, 4 pages, finished \d{4}-\d\d-\d\d \d\d:\d\d\)/);
    expect(stdout).toContain('4  files of this machine');
    expect((await lister('index', '--forget', join(notes.path, 'deep'))).stdout).toBe('2 pages forgotten\n');
    expect(await lister('index', '--forget', join(notes.path, 'deep'))).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^magpie: nothing at or under ".*deep" is in the index: /),
    });
    expect(await foundAs('lister', 'jackdaw')).toEqual([]);
    expect(await foundAs('lister', 'heron')).toEqual([urlOf('notes.md')]);
    const refused = await lister('index', '--forget', 'all');
    expect(refused).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('index asks for confirmation'),
    });
    expect((await lister('index', '--forget', 'all', '--yes')).stdout).toBe('2 pages forgotten\n');
    expect(JSON.parse((await lister('index', '--list', '--json')).stdout)).toMatchObject({
      pages: 0,
      bytes: 0,
      sources: [],
      hosts: [],
    });
  });
});

describe('a site', () => {
  const many = (count: number, wait = 0) => {
    const all = Array.from({ length: count }, (_, i) => `/${i}`);
    site.pages.set('/', article('start', all));
    site.fallback = (path) =>
      path === '/robots.txt' ? { status: 404 } : article(`page number${path.slice(1)}`);
    return ['index', `${site.url}/`, '--delay', String(wait)];
  };

  test('page N is found after indexing', async () => {
    const { code, stdout } = await magpie(...many(20));
    expect(code).toBe(0);
    expect(stdout).toContain('21  indexed');
    expect(linksIn(await magpie('ultrafastsearch', 'number17', '--json'))[0]).toBe(`${site.url}/17`);
  });

  test('other processes can search, read and index meanwhile; a killed run continues with the rest and loses nothing written', async () => {
    const args = many(60, 0.02);
    const answer = site.fallback;
    // The last pages are held, so that it is still at work when it is killed.
    site.fallback = (path) => ({ ...answer(path), ...(Number(path.slice(1)) > 50 && { afterMs: 300_000 }) });
    const child = spawn(process.execPath, [MAIN, ...args], { env, stdio: 'ignore' });
    await expect.poll(() => site.asked.length).toBeGreaterThan(5);
    const results = await Promise.all([
      magpie('browse', `${site.url}/3`),
      magpie('ultrafastsearch', 'number2'),
      magpie('index', folder.path, '--json'),
    ]);
    expect(results.map(({ code, stderr }) => [code, stderr.includes('magpie:')])).toEqual([
      [0, false],
      [0, false],
      [1, false],
    ]);
    await expect.poll(() => site.asked.length).toBeGreaterThan(50);
    expect(child.exitCode).toBeNull();
    child.kill('SIGKILL');
    await exitOf(child);
    site.fallback = answer;
    const { stdout } = await magpie(...args.slice(0, 2), '--delay', '0', '--json');
    const summary = JSON.parse(stdout);
    expect(summary).toMatchObject({ state: 'finished', resumed: true, failed: 0, waiting: 0 });
    // What was written before the kill is not read again.
    expect(summary.indexed + summary.unchanged).toBeLessThan(50);
    const list = JSON.parse((await magpie('index', '--list', '--json')).stdout);
    expect(list.pages).toBe(61);
    expect(list.sources).toContainEqual(expect.objectContaining({ read: 61, waiting: 0 }));
  });

  test('Ctrl-C stops with its own exit code and says how to continue', async () => {
    const signals = new EventEmitter();
    const running = runMagpie(many(60, 0.05), env, { signals });
    await expect.poll(() => site.asked.length).toBeGreaterThan(15);
    signals.emit('SIGINT');
    const { code, stdout, stderr } = await running;
    expect(code).toBe(130);
    expect(stdout).toMatch(/Stopped, \d+ wait: the same command continues from here\.\n +\d+ {2}indexed\n/);
    // No terminal: plain lines tell how far it is, without control codes.
    expect(stderr).toMatch(/^\d+ indexed.*: http/m);
    expect(stdout + stderr).not.toMatch(/(?!\n)\p{Cc}/u);
    expect((await magpie('index', '--list')).stdout).toMatch(/stopped .*, \d+ wait\)/);
  });
});

test('an invalid command line is reported on one line, with exit code 2', async () => {
  const cases: [string[], string][] = [
    [[], 'index takes one of these: a folder or an address, --list, --forget'],
    [['a', '--list'], 'index takes one of these'],
    [['a', 'b'], 'index takes <source>, and got 2 words; a name with spaces stands in quotes'],
    [['nowhere'], 'the folder or file "nowhere" is not there'],
    [['a', '--depth', 'x'], 'depth is "x": it takes a whole number from 0 to 100'],
    [['a', '--nonsense'], "unknown option '--nonsense'; magpie index --help lists the flags"],
    [['https://u:p@a.example/'], 'without a password'],
  ];
  await Promise.all(
    cases.map(async ([args, message]) => {
      const { code, stdout, stderr } = await magpie('index', ...args);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toContain(message);
      expect(stderr.trim().split('\n')).toHaveLength(1);
    }),
  );
});

test('a run without indexable content ends with exit code 1; a switched-off index is reported', async () => {
  write('empty.txt', '');
  const { code, stdout } = await magpie('index', folder.path);
  expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringContaining('0  indexed') });
  const off = await magpie('index', folder.path, '--no-local-index');
  expect(off.code).toBe(1);
  expect(off.stderr).toContain('the local index is switched off: MAGPIE_LOCAL_INDEX turns it on');
});

test('the help text is generated from the declaration', async () => {
  const [{ stdout }, all] = await Promise.all([magpie('index', '--help'), magpie('--help')]);
  expect(stdout).toContain('magpie index [source] [flags]');
  expect(stdout).toContain('--depth              a whole number from 0 to 100');
  expect(stdout).toContain('magpie index --forget https://docs.example.org/');
  expect(all.stdout).toMatch(/Commands:\n(?: {2}.*\n)* {2}index +Reads a folder/);
});
