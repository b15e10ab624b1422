import type { LanguageRuleFile, RuleFile, RuleLanguage, RuleSamples } from './file.ts';

export interface RuleSample {
  readonly language: RuleLanguage;
  readonly matches: boolean;
  readonly code: string;
  readonly place: readonly (string | number)[];
}

export const SAMPLE_PATHS: Readonly<Record<RuleLanguage, readonly string[]>> = {
  javascript: ['a.js', 'a.ts'],
  python: ['a.py'],
  java: ['A.java'],
  go: ['a.go'],
  php: ['a.php'],
  ruby: ['a.rb'],
  csharp: ['A.cs'],
};

export function samplesOf(rule: RuleFile, languages: readonly LanguageRuleFile[]): RuleSample[] {
  return Object.entries(rule.languages).flatMap(([name, section]) => {
    const language = name as RuleLanguage;
    const handler = languages.find((one) => one.language === language)?.handler;
    const groups: readonly RuleSamples[] = [section?.samples ?? []].flat();
    return groups.flatMap((group, at) => {
      const place = ['languages', language, 'samples', ...(Array.isArray(section?.samples) ? [at] : [])];
      const made = (key: 'must-match' | 'must-not-match'): RuleSample[] =>
        group[key].map((text, number) => ({
          language,
          matches: key === 'must-match',
          code: group.within === undefined ? text : within(handler ?? '{code}\n', text),
          place: [...place, key, number],
        }));
      return [...made('must-match'), ...made('must-not-match')];
    });
  });
}

function within(handler: string, code: string): string {
  return handler.replace(/^( *)\{code\}\n/m, (_, indent: string) =>
    code
      .replace(/\n$/, '')
      .split('\n')
      .map((line) => `${indent}${line}\n`)
      .join(''),
  );
}
