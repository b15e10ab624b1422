import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { temporaryFolder } from '../helpers/magpie.ts';

/** The program of the nightly workflow, with a `gh` that keeps its issues in a file. */

const PROGRAM = fileURLToPath(new URL('../../deploy/nightly/engine-issues.ts', import.meta.url));
const GH = `#!${process.execPath}
const fs = require('node:fs');
const file = process.env.ISSUES;
const issues = JSON.parse(fs.readFileSync(file, 'utf8'));
const [kind, act, ...rest] = process.argv.slice(2);
const flag = (name) => rest[rest.indexOf(name) + 1];
const find = () => issues.find(({ number }) => String(number) === rest[0]);
if (kind === 'issue' && act === 'list') {
  const open = issues.filter(({ state, label }) => state === 'open' && label === flag('--label'));
  console.log(JSON.stringify(open.map(({ number, title }) => ({ number, title }))));
}
if (act === 'create' && kind === 'issue') {
  const body = fs.readFileSync(0, 'utf8');
  issues.push({ number: issues.length + 1, state: 'open', title: flag('--title'), label: flag('--label'), body });
}
if (act === 'edit') find().body = fs.readFileSync(0, 'utf8');
if (act === 'close') Object.assign(find(), { state: 'closed', comment: flag('--comment') });
fs.writeFileSync(file, JSON.stringify(issues));
`;

interface FiledIssue {
  readonly state: string;
  readonly title: string;
  readonly body: string;
  readonly comment?: string;
}

let folder: ReturnType<typeof temporaryFolder>;
const at = (name: string) => join(folder.path, name);
const issues = () => JSON.parse(readFileSync(at('issues.json'), 'utf8')) as FiledIssue[];

beforeEach(() => {
  folder = temporaryFolder();
  writeFileSync(at('gh'), GH, { mode: 0o755 });
  writeFileSync(at('issues.json'), '[]');
});
afterEach(() => folder.remove());

function file(engines: readonly object[], day = '2026-11-27'): void {
  const answered = engines.filter((engine) => 'ok' in engine && engine.ok).length;
  const report = { at: `${day}T03:17:00.000Z`, answered, asked: engines.length, engines };
  writeFileSync(at('engines.json'), JSON.stringify(report));
  execFileSync(process.execPath, [PROGRAM, at('engines.json')], {
    env: { PATH: [folder.path, process.env.PATH].join(delimiter), ISSUES: at('issues.json') },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

const about = { title: 'Startpage', host: 'www.startpage.com', access: 'page' };
const startpage = { name: 'startpage', about, ms: 200, asked: 'how do magpies build their nests' };
const wikipedia = { ...startpage, name: 'wikipedia', ok: true };
const changed = {
  ...{ ...startpage, ok: false, kind: 'changed', reason: 'its markup has changed ```@someone' },
  sample: { status: 200, format: 'html', bytes: 1200, elsewhere: true, outline: ['html', '  body (12)'] },
};

test('an engine that fails has one issue, which is rewritten each night and closed when it answers', () => {
  file([wikipedia, changed]);
  expect(issues()).toEqual([
    expect.objectContaining({ state: 'open', title: 'engine startpage does not answer' }),
  ]);
  const [{ body } = { body: '' }] = issues();
  expect(body).toContain('| kind | `changed`: its answer has changed |');
  expect(body).toContain('| last asked | 2026-11-27 03:17 UTC, 200 ms, "how do magpies build their nests" |');
  expect(body).toContain("```text\nits markup has changed '''@someone\n```");
  expect(body).toContain('of another host than the one that was asked: status 200, html, 1200 bytes');
  expect(body).toContain('```text\nhtml\n  body (12)\n```');
  expect(body).toContain('Hold the parser');

  file([wikipedia, { ...startpage, ok: false, kind: 'captcha', reason: 'it wants a captcha' }], '2026-11-28');
  expect(issues()).toHaveLength(1);
  expect(issues()[0]?.body).toMatch(
    /`captcha`: it wants a captcha[\s\S]*2026-11-28[\s\S]*from another network/,
  );

  file([wikipedia, { ...startpage, ok: true }], '2026-11-29');
  expect(issues()).toEqual([
    expect.objectContaining({ state: 'closed', comment: 'It answered again on 2026-11-29.' }),
  ]);
  file([wikipedia, changed]);
  expect(issues().map(({ state }) => state)).toEqual(['closed', 'open']);
});

test('where no engine answers, the run has no network and files nothing', () => {
  file([{ ...wikipedia, ok: false, kind: 'network' }, changed]);
  expect(issues()).toEqual([]);
});
