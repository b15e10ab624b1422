import { expect, test } from 'vitest';
import { sourceRules } from '../../../src/security/scanners/source/rules/catalogue.ts';
import { createSourceScanner } from '../../../src/security/scanners/source.ts';
import { csharpCases } from './cases-csharp.ts';
import { goCases } from './cases-go.ts';
import { javaCases } from './cases-java.ts';
import { javascriptCases } from './cases-javascript.ts';
import { phpCases } from './cases-php.ts';
import { pythonCases } from './cases-python.ts';
import { rubyCases } from './cases-ruby.ts';

const scanner = createSourceScanner();
const CASES = [
  { language: 'Python', path: 'a.py', cases: pythonCases },
  { language: 'JavaScript', path: 'a.js', cases: javascriptCases },
  { language: 'TypeScript', path: 'a.ts', cases: javascriptCases },
  { language: 'Java', path: 'A.java', cases: javaCases },
  { language: 'Go', path: 'a.go', cases: goCases },
  { language: 'PHP', path: 'a.php', cases: phpCases },
  { language: 'Ruby', path: 'a.rb', cases: rubyCases },
  { language: 'C#', path: 'A.cs', cases: csharpCases },
] as const;

async function rulesIn(path: string, text: string, deep: boolean): Promise<string[]> {
  return (await scanner.scan({ path, text }, { deep })).map((finding) => finding.id);
}

for (const { language, path, cases } of CASES) {
  test.each(cases.map((one) => [one.rule, one] as const))(
    `${language}: %s`,
    async (rule, { found, clean }) => {
      expect(await rulesIn(path, found, true)).toContain(rule);
      expect(await rulesIn(path, found, false)).toContain(rule);
      expect(await rulesIn(path, clean, true)).not.toContain(rule);
    },
  );
}

test('every rule of the catalogue has a case that must be found and one that must not', () => {
  const tried = new Set(CASES.flatMap(({ cases }) => cases.map((one) => one.rule)));
  expect(sourceRules.map((rule) => rule.id).filter((id) => !tried.has(id))).toEqual([]);
});

test('rules are well formed: stable ids, a CWE each, words that say the danger and the fix', () => {
  expect(new Set(sourceRules.map((rule) => rule.id)).size).toBe(sourceRules.length);
  for (const rule of sourceRules) {
    expect(rule.id).toMatch(/^source\/[a-z]+(?:-[a-z]+)*$/);
    expect(rule.cwe.length).toBeGreaterThan(0);
    expect(rule.description.length).toBeGreaterThan(30);
    expect(rule.fix.length).toBeGreaterThan(15);
  }
});
