import { describe, expect, test } from 'vitest';
import { isRunnerDead, PROCESS_RUNNER_ID } from '../../src/lib/concurrency/runner.ts';
import { readBaseline } from '../../src/security/findings/baseline.ts';
import type { RawFinding } from '../../src/security/findings/finding.ts';
import { fingerprintsOf } from '../../src/security/findings/fingerprint.ts';
import { maskSecret } from '../../src/security/findings/mask.ts';
import { mergeFindings, worstFirst } from '../../src/security/findings/merge.ts';
import {
  createRuleNameChecker,
  type RuleNameChecker,
} from '../../src/security/findings/rule-name-checker.ts';
import {
  filterEntriesByPath,
  judgeSuppressions,
  readIgnoreFile,
} from '../../src/security/findings/suppress-findings.ts';
import { createOutcomes } from '../../src/security/scans/outcomes.ts';
import { withoutCredentials } from '../../src/security/scans/scan.ts';
import { createStepBudget } from '../../src/security/scans/step-budget.ts';
import { fitsGlob } from '../../src/security/trees/glob.ts';

const base: RawFinding = {
  id: 'source/x',
  severity: 'medium',
  title: 't',
  description: 'd',
  fix: 'f',
  path: 'a.js',
  line: 5,
  cwe: ['CWE-78'],
  excerpt: 'run(x)',
};

describe('fingerprints', () => {
  test('stay when lines and blocks move, and differ for equal findings in one file', () => {
    const [a, b, c] = [base, { ...base, line: 9 }, { ...base, line: 7, excerpt: 'run(y)' }];
    const before = fingerprintsOf([a, b, c]);
    const after = fingerprintsOf([
      { ...c, line: 1 },
      { ...a, line: 50 },
      { ...b, line: 60, excerpt: ' run(x) ' },
    ]);
    expect(after).toEqual([before[2], before[0], before[1]]);
    expect(new Set(before).size).toBe(3);
  });

  test('differ by rule, path and identity; a package keeps its fingerprint across versions', () => {
    const used = { ecosystem: 'npm', name: 'left', version: '1.0.0' };
    const of = (finding: RawFinding) => fingerprintsOf([finding])[0];
    const other = [
      { ...base, id: 'y' },
      { ...base, path: 'b.js' },
      { ...base, identity: 'i' },
    ].map(of);
    expect(new Set([of(base), ...other]).size).toBe(4);
    expect(of({ ...base, package: used })).toBe(of({ ...base, package: { ...used, version: '2.0.0' } }));
  });
});

describe('merging', () => {
  const of = (scanner: string, ...findings: RawFinding[]) => ({ scanner, findings });

  test('joins the same class in the same place from two scanners, with the worse severity', () => {
    const other: RawFinding = {
      ...base,
      id: 'semgrep/y',
      severity: 'critical',
      line: 4,
      endLine: 6,
      cwe: ['CWE-77'],
    };
    expect(mergeFindings([of('a', base), of('b', other)])).toMatchObject([
      { id: 'source/x', aliases: ['semgrep/y'], severity: 'critical', scanners: ['a', 'b'], line: 5 },
    ]);
  });

  test.each<[string, RawFinding]>([
    ['another class', { ...base, id: 'y', cwe: ['CWE-79'] }],
    ['another line', { ...base, id: 'y', line: 6 }],
    ['another file', { ...base, id: 'y', path: 'b.js' }],
    ['another commit', { ...base, id: 'y', commit: 'c' }],
  ])('keeps %s apart', (_, other) => {
    expect(mergeFindings([of('a', base), of('b', other)])).toHaveLength(2);
  });

  test('never joins two findings of one scanner, but drops the same report twice', () => {
    expect(mergeFindings([of('a', base, { ...base }, { ...base, identity: 'other' })])).toHaveLength(2);
  });

  test('joins an advisory by any of its ids, for the same package only', () => {
    const used = { ecosystem: 'npm', name: 'left', version: '1.0.0' };
    const one: RawFinding = { ...base, id: 'CVE-1', aliases: ['GHSA-1'], package: used };
    const same: RawFinding = { ...base, id: 'GHSA-1', package: { ...used, ecosystem: 'NPM' } };
    const not: RawFinding = { ...base, id: 'GHSA-1', package: { ...used, version: '2.0.0' } };
    expect(mergeFindings([of('a', one), of('b', same, not)])).toMatchObject([
      { scanners: ['a', 'b'] },
      { id: 'GHSA-1' },
    ]);
  });

  test('puts the worst first', () => {
    const cvss = (score: number) => ({ ...base, cvss: { score, vector: '' } });
    const list: RawFinding[] = [
      { ...base, severity: 'low' },
      base,
      cvss(6.9),
      { ...base, severity: 'critical' },
    ];
    expect([...list].sort(worstFirst)).toEqual([list[3], list[2], list[1], list[0]]);
  });
});

test('findings of a scanner past the maximum are dropped, and the drop is reported once', () => {
  const outcomes = createOutcomes(1000);
  for (let files = 0; files < 120; files++) outcomes.addFindings('marks', new Array(1000).fill(base), 1);
  expect(outcomes.findings()[0]?.findings).toHaveLength(100_000);
  expect(outcomes.omissions.left).toEqual(['findings of marks past the first 100000']);
});

const never = new AbortController().signal;
const anyRule: RuleNameChecker = { findCorrection: () => undefined };
const reading = () => ({ names: anyRule, effort: createStepBudget(), signal: never });

describe('comments', () => {
  const judge = async (text: string, line: number) => {
    const grounds = { text, excuses: [], names: anyRule, effort: createStepBudget() };
    return (await judgeSuppressions([{ ...base, line }], grounds, never))[0];
  };

  test.each([
    ['run(x) // magpie-ignore source/x checked', 1],
    ['# magpie-ignore source/* checked\nrun(x)', 2],
    ['/* magpie-ignore a/b,source/x checked */\nrun(x)', 2],
    ['<!-- magpie-ignore: source/x — checked -->\nrun(x)', 2],
    ['-- magpie-ignore SOURCE/X checked\nrun(x)', 2],
    ['rem magpie-ignore source/x checked\r\nrun(x)', 2],
  ])('%j suppresses line %i', async (text, line) => {
    expect(await judge(text, line)).toEqual({ suppressed: { by: 'comment', reason: 'checked' } });
  });

  test.each([
    ['run(a) // magpie-ignore source/x that one\nrun(x)', 2],
    ['// magpie-ignore source/y checked\nrun(x)', 2],
    ['// magpie-ignore source/x checked\n\nrun(x)', 3],
    ['// magpie-ignore', 1],
  ])('%j does not suppress line %i', async (text, line) => {
    expect(await judge(text, line)).toEqual({});
  });

  test('without a reason are ignored and reported', async () => {
    const verdict = await judge('run(x) /* magpie-ignore source/x */', 1);
    expect(verdict).toMatchObject({ problem: { id: 'suppression/no-reason', line: 1 } });
    expect(verdict).not.toHaveProperty('suppressed');
  });

  test('that name an unknown rule are reported with the nearest rule', async () => {
    const reported = async (rule: string) => {
      const text = `run(x) // magpie-ignore ${rule} checked`;
      const grounds = {
        text,
        excuses: [],
        names: createRuleNameChecker(['echo']),
        effort: createStepBudget(),
      };
      return (await judgeSuppressions([{ ...base, line: 1 }], grounds, never))[0]?.problem?.description;
    };
    expect(await reported('source/sql-injecton')).toBe(
      'The comment names source/sql-injecton, a rule that no scanner has; the nearest is source/sql-injection.',
    );
    for (const rule of ['source/sql-injection', 'CVE-2024-1', 'echo/any', 'semgrep/any.rule', '*']) {
      expect(await reported(rule)).toBeUndefined();
    }
  });
});

describe('the ignore file', () => {
  const now = Date.parse('2026-06-15T12:00:00Z');

  test('has the same meaning in lines and in YAML', async () => {
    const lines = '# why\nsource/* vendor/** theirs expires=2026-06-15\nCVE-1 *.lock no use\n';
    const yaml =
      '- {rule: source/*, path: vendor/**, reason: theirs, expires: 2026-06-15}\n- rule: CVE-1\n  path: "*.lock"\n  reason: no use\n';
    for (const text of [lines, yaml, `ignore:\n${yaml.replace(/^/gm, '  ')}`]) {
      expect(await readIgnoreFile(text, now, reading())).toEqual({
        excuses: [
          { rule: 'source/*', path: 'vendor/**', reason: 'theirs' },
          { rule: 'CVE-1', path: '*.lock', reason: 'no use' },
        ],
        problems: [],
      });
    }
  });

  test('reports each entry that is expired, without a reason, or unusable', async () => {
    const text = 'a b reason expires=2026-06-14\nc d\ne f reason expires=soon\ng';
    const { excuses, problems } = await readIgnoreFile(text, now, reading());
    expect(excuses).toEqual([]);
    expect(problems.map(({ id, line }) => [id, line])).toEqual([
      ['suppression/expired', 1],
      ['suppression/no-reason', 2],
      ['suppression/unusable', 3],
      ['suppression/unusable', 4],
    ]);
  });

  test.each([
    ['- a: [', 'not valid YAML'],
    ['ignore: 5', 'no list'],
    [`- ${'['.repeat(20_000)}`, 'YAML'],
    [`- &a [x]\n${'- [*a, *a, *a]\n'.repeat(50)}`, 'usable YAML|no rule'],
    ['\n'.repeat(300_000), 'over'],
    [`- a\n${'\n'.repeat(100_000)}`, 'no rule'],
    [`${'*'.repeat(100_000)} a no`, 'no rule'],
  ])('is a finding when it is hostile: %#', async (text, expected) => {
    const { excuses, problems } = await readIgnoreFile(text, now, reading());
    expect(excuses).toEqual([]);
    expect(problems[0]?.description).toMatch(new RegExp(expected));
  });

  test('is a finding when its YAML takes too much processor time', async () => {
    // Takes the YAML reader ten seconds and more.
    const text = '- !!a '.repeat(43_000);
    const { excuses, problems } = await readIgnoreFile(text, now, { ...reading(), yamlMs: 50 });
    expect(excuses).toEqual([]);
    expect(problems[0]?.description).toBe('The file takes too long to be read.');
  });

  test('with very slow patterns stops when the scan is cancelled', async () => {
    const path = `${'*a'.repeat(100)}${'a'.repeat(200)}b`;
    const excuses = Array.from({ length: 100_000 }, () => ({ rule: '*', path, reason: 'x' }));
    const stop = new AbortController();
    const asked = filterEntriesByPath('a'.repeat(4000), excuses, createStepBudget(Infinity), stop.signal);
    setImmediate(() => stop.abort(new Error('over')));
    await expect(asked).rejects.toThrow('over');
  });

  test('stops matching at the step limit, without a match and without blocking other work', async () => {
    const path = `${'*a'.repeat(100)}${'a'.repeat(200)}b`;
    const excuses = Array.from({ length: 1000 }, () => ({ rule: '*', path, reason: 'x' }));
    const effort = createStepBudget(12_000_000);
    let turns = 0;
    const timer = setInterval(() => turns++, 0);
    expect(await filterEntriesByPath('a'.repeat(4000), excuses, effort, never)).toEqual([]);
    clearInterval(timer);
    expect(effort.isExhausted).toBe(true);
    expect(turns).toBeGreaterThan(1);
    expect(effort.counter.steps).toBeLessThan(17_000_000);
  });

  test('with a thousand slow rule patterns and a thousand findings stops at the step limit and yields to other work', async () => {
    const excuses = Array.from({ length: 1000 }, (_, at) => ({
      rule: `${'*a'.repeat(90)}${at}`,
      path: '**',
      reason: 'x',
    }));
    const findings = Array.from({ length: 1000 }, (_, at) => ({ ...base, id: `${'a'.repeat(180)}${at}x` }));
    const effort = createStepBudget(12_000_000);
    let turns = 0;
    const timer = setInterval(() => turns++, 0);
    const verdicts = await judgeSuppressions(
      findings,
      { text: undefined, excuses, names: anyRule, effort },
      never,
    );
    clearInterval(timer);
    expect(verdicts).toHaveLength(1000);
    expect(turns).toBeGreaterThan(1);
    expect(effort.counter.steps).toBeLessThan(22_000_000);
  });

  test('finds a rule without a star by its name, and the first matching entry applies', async () => {
    const excuse = (rule: string) => ({ rule, path: '**', reason: rule });
    const judge = async (...rules: readonly string[]) => {
      const grounds = { text: undefined, names: anyRule, effort: createStepBudget() };
      const excuses = rules.map(excuse);
      return (await judgeSuppressions([{ ...base, aliases: ['CVE-1'] }], { ...grounds, excuses }, never))[0]
        ?.suppressed?.reason;
    };
    expect(await judge('cve-1', 'source/*')).toBe('cve-1');
    expect(await judge('source/*', 'CVE-1')).toBe('source/*');
    expect(await judge('other/*', 'Source/X')).toBe('Source/X');
    expect(await judge('other/*', 'source')).toBeUndefined();
  });

  test.each([
    ['source/sql-injecton', 'source/sql-injection'],
    ['sql-injection', 'source/sql-injection'],
    ['sourc/*', 'source/*'],
    ['infrastructre/docker-*', 'infrastructure/docker-*'],
    ['semgrp/python.lang', 'semgrep/python.lang'],
    ['nothing/at-all-like-it', ''],
  ])('reports %s as unknown, with %s as the nearest', async (rule, meant) => {
    const { excuses, problems } = await readIgnoreFile(`${rule} src/ why`, now, {
      ...reading(),
      names: createRuleNameChecker(['secrets', 'source']),
    });
    expect(excuses).toHaveLength(1);
    const nearest = meant === '' ? '' : `; the nearest is ${meant}`;
    expect(problems).toMatchObject([
      { id: 'suppression/unknown-rule', line: 1, description: `Unknown rule ${rule}${nearest}.` },
    ]);
  });

  test.each([
    '*',
    'source/*',
    '*/sql-*',
    'secrets/aws-access-key',
    'GHSA-xxxx-*',
    'gitleaks/*',
    'infrastructure/shell-*',
  ])('accepts %s as a known rule', async (rule) => {
    const options = { ...reading(), names: createRuleNameChecker(['secrets', 'source']) };
    expect((await readIgnoreFile(`${rule} src/ why`, now, options)).problems).toEqual([]);
  });

  test.each([
    ['*.js', 'src/deep/a.js', true],
    ['src/*.js', 'src/deep/a.js', false],
    ['src/**', 'src/deep/a.js', true],
    ['/src/', 'src/a', true],
    ['src/', 'lib/src/a', false],
    ['**/b/**/c', 'a/b/c', true],
    ['a?c', 'abc', true],
    ['a?c', 'a/c', false],
    ['**', 'anything/at/all', true],
    ['', 'a', false],
  ])('the pattern %j matches the path %j: %s', (pattern, path, fits) => {
    expect(fitsGlob(pattern, path)).toBe(fits);
  });

  test('matches hard patterns without delay', () => {
    expect(fitsGlob(`${'*a'.repeat(200)}b`, 'a'.repeat(4000))).toBe(false);
    expect(fitsGlob('**/a/'.repeat(20), 'a/'.repeat(2000))).toBe(true);
  });
});

describe('a baseline file', () => {
  test('is SARIF, the answer of scan, or its list', () => {
    const [print, other] = ['a'.repeat(32), 'b'.repeat(32)];
    const list = [{ fingerprint: print }, { fingerprint: other }];
    const sarif = {
      runs: [{ results: [print, other].map((one) => ({ partialFingerprints: { 'magpie/v1': one } })) }],
    };
    for (const value of [list, { data: { vulnerabilities: list } }, sarif]) {
      expect([...readBaseline(JSON.stringify(value), 'x.json').fingerprints]).toEqual([print, other]);
    }
    expect(readBaseline('{"runs": []}', 'x').fingerprints.size).toBe(0);
  });

  test.each(['no json', '5', '{"a": 1}', '[{"fingerprint": 5}]', '{"runs": [{"results": [{}]}]}'])(
    'refuses %j',
    (text) => {
      expect(() => readBaseline(text, 'x.json')).toThrow('the baseline x.json');
    },
  );
});

describe('what an excerpt shows', () => {
  test('a secret is shown by its beginning, and a line by 300 characters', () => {
    expect(maskSecret('  key = abcdefghijklmnop', 'abcdefghijklmnop')).toBe('key = abcd…');
    expect(maskSecret('abc', 'abc')).toBe('…');
    expect(maskSecret("p = '$&Tr0ub4dor9x'", '$&Tr0ub4dor9x')).toBe("p = '$&T…'");
    expect(maskSecret('a=secret-one b=secret-one-two', 'secret-one', 'secret-one-two')).toBe('a=se… b=sec…');
    const long = maskSecret(`${'x'.repeat(1000)}HERE${'y'.repeat(1000)}`, 'HERE');
    expect(long.length).toBeLessThanOrEqual(300);
    expect(long).toContain('H…');
  });

  test.each([
    ['https://u:p@h/r', 'https://h/r'],
    ['https://token@h:8/r', 'https://h:8/r'],
    ['https://a@b@h/r', 'https://h/r'],
    ['https://h/r?x=@y', 'https://h/r?x=@y'],
    ['git@h:r.git', 'git@h:r.git'],
  ])('%s is shown as %s', (given, shown) => expect(withoutCredentials(given)).toBe(shown));
});

test('a runner is dead when its process has ended or its heartbeat is old', () => {
  const [host] = PROCESS_RUNNER_ID.split(' ');
  expect(isRunnerDead(PROCESS_RUNNER_ID, 1e9)).toBe(false);
  expect(isRunnerDead(`${host} ${process.pid} other`, 0)).toBe(true);
  expect(isRunnerDead(`${host} ${process.ppid} other`, 0)).toBe(false);
  expect(isRunnerDead('elsewhere 1 x', 0)).toBe(false);
  expect(isRunnerDead('elsewhere 1 x', 61_000)).toBe(true);
});
