import type { LanguageFile, RuleFile, RuleLanguage, Samples } from './file.ts';

/** Code in which a rule must find a weakness, or must not find one. */
export interface Sample {
  readonly language: RuleLanguage;
  readonly matches: boolean;
  readonly code: string;
  /** Path of the sample in the rule file. */
  readonly place: readonly (string | number)[];
}

/** File names that the scanner recognises as each language. */
export const SAMPLE_PATHS: Readonly<Record<RuleLanguage, readonly string[]>> = {
  javascript: ['a.js', 'a.ts'],
  python: ['a.py'],
  java: ['A.java'],
  go: ['a.go'],
  php: ['a.php'],
  ruby: ['a.rb'],
  csharp: ['A.cs'],
};

/** Returns all samples of a rule. Samples with `within: handler` are put into the handler of their language. */
export function samplesOf(rule: RuleFile, languages: readonly LanguageFile[]): Sample[] {
  return Object.entries(rule.languages).flatMap(([name, section]) => {
    const language = name as RuleLanguage;
    const handler = languages.find((one) => one.language === language)?.handler;
    const groups: readonly Samples[] = [section?.samples ?? []].flat();
    return groups.flatMap((group, at) => {
      const place = ['languages', language, 'samples', ...(Array.isArray(section?.samples) ? [at] : [])];
      const made = (key: 'must-match' | 'must-not-match'): Sample[] =>
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

/** Inserts the code in place of `{code}`, with the same indentation. */
function within(handler: string, code: string): string {
  return handler.replace(/^( *)\{code\}\n/m, (_, indent: string) =>
    code
      .replace(/\n$/, '')
      .split('\n')
      .map((line) => `${indent}${line}\n`)
      .join(''),
  );
}
