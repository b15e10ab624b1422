import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { generatedRules, readSourceRules } from '../../../docs/source-rules.ts';
import { languages } from '../../../src/security/scanners/source/languages.ts';
import type { LanguageFlowRules } from '../../../src/security/scanners/source/rule.ts';
import { sourceRules } from '../../../src/security/scanners/source/rules/catalogue.ts';
import { RULE_LANGUAGES } from '../../../src/security/scanners/source/rules/file.ts';
import { SAMPLE_PATHS, samplesOf } from '../../../src/security/scanners/source/rules/samples.ts';
import { createSourceScanner } from '../../../src/security/scanners/source.ts';

const scanner = createSourceScanner();
const files = readSourceRules();
const FOLDER = new URL('../../../src/security/scanners/source/rules/', import.meta.url);

/** Ids of the rules that a language's lists name. */
function rulesOf(rules: LanguageFlowRules): Set<string> {
  const { sinks, memberSinks, returns, checks, memberChecks, keyChecks } = rules;
  const named = [...sinks, ...memberSinks, ...returns, ...checks, ...memberChecks, ...keyChecks];
  return new Set(named.map((one) => one.rule));
}

async function rulesIn(path: string, text: string, deep: boolean): Promise<string[]> {
  return (await scanner.scan({ path, text }, { deep })).map((finding) => finding.id);
}

test('the compiled rules equal the output of `npm run docs`', () => {
  const generated = generatedRules(files);
  for (const [name, text] of Object.entries(generated))
    expect(readFileSync(new URL(`${name}.json`, FOLDER), 'utf8'), `${name}.json: npm run docs`).toBe(text);
});

for (const rule of files.rules) {
  const samples = samplesOf(rule, files.languages).flatMap((one) =>
    SAMPLE_PATHS[one.language].map((path) => ({ ...one, path, name: `${path} ${one.place.join('.')}` })),
  );
  test.each(samples)(`${rule.id}: $name`, async ({ path, code, matches }) => {
    const id = `source/${rule.id}`;
    if (matches) expect(await rulesIn(path, code, false)).toContain(id);
    const deep = await rulesIn(path, code, true);
    if (matches) expect(deep).toContain(id);
    else expect(deep).not.toContain(id);
  });
}

test.each(files.rules)('$id has a matching and a non-matching sample in each of its languages', (rule) => {
  const samples = samplesOf(rule, files.languages);
  for (const language of Object.keys(rule.languages)) {
    const kinds = samples.filter((one) => one.language === language).map(({ matches }) => matches);
    expect([...new Set(kinds)].sort(), language).toEqual([false, true]);
  }
});

test('every language has its file, and its rules use catalogued names', () => {
  expect(files.languages.map(({ language }) => language).sort()).toEqual([...RULE_LANGUAGES].sort());
  const ids = new Set(sourceRules.map(({ id }) => id));
  for (const { rules } of languages) expect([...rulesOf(rules)].filter((id) => !ids.has(id))).toEqual([]);
});

test('rules are well formed: the id equals the file name, and the texts state the danger and the fix', () => {
  expect(new Set(sourceRules.map((rule) => rule.id)).size).toBe(sourceRules.length);
  for (const rule of files.rules) {
    expect(readFileSync(new URL(`${rule.id}.yaml`, FOLDER), 'utf8')).toContain(`id: ${rule.id}\n`);
    expect(rule.description.length).toBeGreaterThan(30);
    expect(rule.fix.length).toBeGreaterThan(15);
  }
});
