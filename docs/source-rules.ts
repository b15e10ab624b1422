import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { z } from 'zod';
import {
  type CompiledRuleFiles,
  compileRuleFiles,
  RuleMistakes,
} from '../src/security/scanners/source/rules/compile.ts';
import {
  type LanguageRuleFile,
  languageFileSchema,
  type RuleFile,
  type RuleLanguage,
  ruleFileSchema,
} from '../src/security/scanners/source/rules/file.ts';
import { parseRuleFile } from '../src/security/scanners/source/rules/parse.ts';

/** The files of the source scanner's rules, as the repository holds them. */
export interface SourceRuleFiles {
  readonly languages: readonly LanguageRuleFile[];
  readonly rules: readonly RuleFile[];
}

const FOLDER = fileURLToPath(new URL('../src/security/scanners/source/rules/', import.meta.url));

/** Reads them all, in the order of their names. Throws with file and line where one is wrong. */
export function readSourceRules(): SourceRuleFiles {
  return { languages: readFolder('languages/', languageFileSchema), rules: readFolder('', ruleFileSchema) };
}

function readFolder<Schema extends z.ZodType>(folder: string, schema: Schema): z.output<Schema>[] {
  const names = readdirSync(FOLDER + folder).filter((name) => name.endsWith('.yaml'));
  return names.sort().map((name) => {
    const parsed = parseRuleFile(readFileSync(FOLDER + folder + name, 'utf8'), schema);
    if ('mistakes' in parsed)
      throw new Error(
        parsed.mistakes.map(({ line, what }) => `${folder}${name}:${line}: ${what}`).join('\n'),
      );
    return parsed.value;
  });
}

/** `catalogue.json` and `rules.json`: what the scanner loads. An entry a line, so that a change is seen in a diff. */
export function generatedRules(files: SourceRuleFiles): Record<'catalogue' | 'rules', string> {
  let compiled: CompiledRuleFiles;
  try {
    compiled = compileRuleFiles(files.languages, files.rules);
  } catch (thrown) {
    if (!(thrown instanceof RuleMistakes)) throw thrown;
    const all = thrown.all.map(({ rule, path, message }) => `${rule}.yaml: ${path.join('.')}: ${message}`);
    throw new Error(all.join('\n'));
  }
  const languages = Object.entries(compiled.languages).map(
    ([language, rules]) => `${JSON.stringify(language)}: {\n${entriesOf(rules)}\n}`,
  );
  return {
    catalogue: `[\n${compiled.catalogue.map((one) => JSON.stringify(one)).join(',\n')}\n]\n`,
    rules: `{\n${languages.join(',\n')}\n}\n`,
  };
}

function entriesOf(rules: object): string {
  const written = Object.entries(rules).filter(([, value]) => value !== undefined);
  return written
    .map(([key, value]) => {
      const many = Array.isArray(value) && value.some((one) => typeof one === 'object');
      const text = many
        ? `[\n${value.map((one) => JSON.stringify(one)).join(',\n')}\n]`
        : JSON.stringify(value);
      return `${JSON.stringify(key)}: ${text}`;
    })
    .join(',\n');
}

const LANGUAGES: Readonly<Record<RuleLanguage, string>> = {
  javascript: 'JavaScript and TypeScript',
  python: 'Python',
  java: 'Java',
  go: 'Go',
  php: 'PHP',
  ruby: 'Ruby',
  csharp: 'C#',
};

/** The reference of all rules: what each finds and how to repair it, with code that it finds and code that it does not. */
export function ruleReference({ rules }: SourceRuleFiles): string {
  const table = rules.map(
    ({ id, title, severity, cwe }) =>
      `| [${title}](#${id}) | \`source/${id}\` | ${severity} | ${cwe.join(', ')} |`,
  );
  const head = '| weakness | id | severity | CWE |\n| --- | --- | --- | --- |';
  return `${head}\n${table.join('\n')}\n\n${rules.map(entryOf).join('\n\n')}`;
}

function entryOf(rule: RuleFile): string {
  const names = Object.keys(rule.languages) as RuleLanguage[];
  const parts = [
    `## ${rule.id}`,
    `**${rule.title}**, ${rule.severity}, ${rule.cwe.join(', ')}. In ${names.map((one) => LANGUAGES[one]).join(', ')}.`,
    rule.description,
    `What to do: ${rule.fix}`,
  ];
  const [first] = names;
  const shown = first && [rule.languages[first]?.samples ?? []].flat()[0];
  if (first && shown) {
    parts.push(`Found:`, fenced(first, shown['must-match'][0] ?? ''));
    parts.push(`Not found:`, fenced(first, shown['must-not-match'][0] ?? ''));
  }
  return parts.join('\n\n');
}

function fenced(language: RuleLanguage, code: string): string {
  return `\`\`\`${language}\n${code.trimEnd()}\n\`\`\``;
}
