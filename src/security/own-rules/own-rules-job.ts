import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { describeFileError } from '../../lib/file-error.ts';
import {
  readUserRules,
  type UserRuleFile,
  type UserRuleMistake,
  type UserRuleSample,
  type UserRules,
} from '../scanners/source/rules/own.ts';
import { SAMPLE_PATHS } from '../scanners/source/rules/samples.ts';
import { createSourceScanner } from '../scanners/source.ts';

export interface FailedRuleSample extends Pick<UserRuleSample, 'file' | 'line' | 'rule'> {
  readonly what: string;
}

export interface RuleCheckResult {
  readonly rules: number;
  readonly samples: number;
  readonly wrong: readonly FailedRuleSample[];
  readonly without: readonly string[];
}

export interface RulesJob {
  readonly path: string;
  readonly check: boolean;
}

export type RulesAnswer =
  | { readonly rules: UserRules }
  | { readonly checked: RuleCheckResult }
  | { readonly mistakes: readonly UserRuleMistake[] }
  | { readonly unreadable: string };

const MAX_FILES = 500;
const MAX_FILE_BYTES = 1_000_000;
const MAX_BYTES = 5_000_000;
const ENDINGS = /\.ya?ml$/i;

export async function answerRules({ path, check }: RulesJob): Promise<RulesAnswer> {
  let files: UserRuleFile[];
  try {
    files = await readFiles(path);
  } catch (thrown) {
    return { unreadable: describeFileError(thrown) };
  }
  const read = readUserRules(files);
  if ('mistakes' in read) return read;
  return check ? { checked: await tryAll(read.rules, read.samples) } : { rules: read.rules };
}

async function readFiles(path: string): Promise<UserRuleFile[]> {
  const found = await stat(path);
  if (found.isFile()) return [{ name: basename(path), text: await readOne(path) }];
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  // A symbolic link is an error, because it may lead to any file.
  const link = entries.find((entry) => entry.isSymbolicLink());
  if (link)
    throw new Error(
      `${relative(path, join(link.parentPath, link.name))} is a symbolic link, which is not followed: put the file itself there`,
    );
  const paths = entries
    .filter((entry) => entry.isFile() && ENDINGS.test(entry.name))
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort();
  if (paths.length === 0) throw new Error('there is no file that ends with .yaml or .yml');
  if (paths.length > MAX_FILES) throw new Error(`there are over ${MAX_FILES} files`);
  const files: UserRuleFile[] = [];
  let bytes = 0;
  for (const one of paths) {
    const text = await readOne(one);
    bytes += text.length;
    if (bytes > MAX_BYTES) throw new Error(`they are over ${MAX_BYTES / 1e6} MB together`);
    files.push({ name: relative(path, one), text });
  }
  return files;
}

async function readOne(path: string): Promise<string> {
  const { size } = await stat(path);
  if (size > MAX_FILE_BYTES) throw new Error(`${path} is over ${MAX_FILE_BYTES / 1e6} MB`);
  return readFile(path, 'utf8');
}

async function tryAll(rules: UserRules, samples: readonly UserRuleSample[]): Promise<RuleCheckResult> {
  const scanner = createSourceScanner();
  const lacks = (await scanner.lacks?.()) ?? new Map<string, string>();
  const wrong: FailedRuleSample[] = [];
  for (const { language, matches, code, file, line, rule } of samples) {
    for (const path of SAMPLE_PATHS[language]) {
      const [why] = scanner.left?.([path], lacks) ?? [];
      const findings =
        why === undefined ? await scanner.scan({ path, text: code }, { deep: true, rules }) : [];
      const found = findings.some(({ id }) => id === `own/${rule}`);
      if (found === matches && why === undefined) continue;
      const what = why ?? (matches ? 'must match and does not' : 'must not match and does');
      wrong.push({ file, line, rule, what: `the sample of ${language} ${what}` });
      break;
    }
  }
  const ids = rules.catalogue.map(({ id }) => id.slice(id.indexOf('/') + 1));
  return {
    rules: ids.length,
    samples: samples.length,
    wrong,
    without: ids.flatMap((id) => missing(id, samples)),
  };
}

const missing = (id: string, samples: readonly UserRuleSample[]): string[] =>
  [true, false].flatMap((matches) => {
    if (samples.some((one) => one.rule === id && one.matches === matches)) return [];
    return [`${id} has no sample that ${matches ? 'must match' : 'must not match'}`];
  });
