import { expect, test } from 'vitest';
import { languages } from '../../../src/security/scanners/source/languages.ts';
import type { LanguageRules } from '../../../src/security/scanners/source/rule.ts';
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

/** Ids of the rules that a language's lists name, and those that hold for every language. */
function rulesOf(rules: LanguageRules): Set<string> {
  const { sinks, memberSinks, returns, checks, memberChecks, keyChecks } = rules;
  const named = [...sinks, ...memberSinks, ...returns, ...checks, ...memberChecks, ...keyChecks];
  const everywhere = ['source/hard-coded-credentials', 'source/weak-random'];
  return new Set([...named.map((one) => one.rule), ...everywhere]);
}

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

test.each(languages)('every rule of $name has a sample that matches and one that must not', (language) => {
  const samples = CASES.filter((one) => one.language === language.name).flatMap((one) => [...one.cases]);
  const sampled = new Set(samples.filter((one) => one.found !== one.clean).map((one) => one.rule));
  expect([...rulesOf(language.rules)].filter((id) => !sampled.has(id))).toEqual([]);
});

test('every rule of the catalogue is in a language, and every rule of a language is in the catalogue', () => {
  const used = new Set(languages.flatMap(({ rules }) => [...rulesOf(rules)]));
  const ids = sourceRules.map((rule) => rule.id);
  expect([...used].sort()).toEqual(ids.sort());
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
