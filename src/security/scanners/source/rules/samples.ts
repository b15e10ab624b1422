import type { LanguageFile, RuleFile, RuleLanguage, Samples } from './file.ts';

/** Code that a rule must find something in, or must not. */
export interface Sample {
  readonly language: RuleLanguage;
  readonly matches: boolean;
  readonly code: string;
  /** Its place in the rule's file. */
  readonly place: readonly (string | number)[];
}

/** A name that the scanner takes for a file of each language. */
export const SAMPLE_PATHS: Readonly<Record<RuleLanguage, readonly string[]>> = {
  javascript: ['a.js', 'a.ts'],
  python: ['a.py'],
  java: ['A.java'],
  go: ['a.go'],
  php: ['a.php'],
  ruby: ['a.rb'],
  csharp: ['A.cs'],
};

/** All samples of a rule; those that stand within a handler are put into the one of their language. */
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

/** The handler with these lines in place of `{code}`, as far in as that. */
function within(handler: string, code: string): string {
  return handler.replace(/^( *)\{code\}\n/m, (_, indent: string) =>
    code
      .replace(/\n$/, '')
      .split('\n')
      .map((line) => `${indent}${line}\n`)
      .join(''),
  );
}
