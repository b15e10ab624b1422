import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { type Prose, proseOfMarkdown, proseOfSource } from './helpers/prose.ts';

/** Words that docs/words.md rules out, in comments, texts and documentation. */

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Each with what to say instead, and the paths for which it holds, where these are not all. */
const RULED_OUT: readonly (readonly [words: RegExp, instead: string, where?: RegExp])[] = [
  [/\bwhoever\b/i, 'anyone who, the caller'],
  [/\b(?:no|some)body\b/i, 'no one, or the name of the part: "no process"'],
  [/\banew\b/i, 'again, from scratch'],
  [/\bheed(?:s|ed|ing)?\b/i, 'follow, apply'],
  [/\btold\b|\btell(?:s|ing)?\b(?! (?:me|us|the user)\b)/i, 'report, return, say, name, show'],
  [/\b(?:no|any) more\b(?![^.;]* than\b)/i, 'no longer'],
  [
    /(?<!\bthere )\b(?:is|are|was|were) no (?!longer\b|more than\b|less than\b|one\b)\p{L}+/iu,
    'is not a, is not',
  ],
  [
    /\b(?:scanners?|processes|packages|actions?|code|work|keys?) of others\b|\bothers'/i,
    'third-party, another process, other users',
  ],
  [/\blook(?:s|ed|ing)? (?:at|for)\b/i, 'check, probe, scan, read, search for'],
  [/\b(?:has|have|had|having) in hand\b/i, 'is leased by, is run by'],
  [/\bstands? in (?:a|the|its) line\b/i, 'waits, is queued'],
  [/(?<!\b(?:segmentation|page) )\bfaults?\b(?!-tolerant)/i, 'finding, failure, problem, mistake'],
  [/\bnotices?\b/i, 'notification', /monitor|resend|access\/(?:alerts|webhook)/],
  [/\bfor want of\b/i, 'because ... is missing'],
];

/** Files whose texts are data: words of many languages that are searched for. */
const DATA = new Set([
  'src/automation/reading/task-words.ts',
  'src/knowledge/ranking/denial.ts',
  'src/lib/text/stem.ts',
]);
/** Data in our own words. */
const OWN_WORDS =
  /^src\/(?:security\/scanners\/infrastructure\/\w+\.json|compliance\/catalogues\/controls\/.+\.txt)$/;
/** The list itself. */
const GLOSSARY = 'docs/words.md';

function files(): string[] {
  const listed = execFileSync(
    'git',
    ['ls-files', 'src', 'tools', 'prompts', 'docs', 'README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md'],
    { cwd: ROOT, encoding: 'utf8' },
  );
  return listed
    .split('\n')
    .filter(
      (path) => (/\.(?:ts|md)$/.test(path) || OWN_WORDS.test(path)) && !DATA.has(path) && path !== GLOSSARY,
    );
}

function proseOf(path: string): Prose[] {
  const text = readFileSync(`${ROOT}${path}`, 'utf8');
  return /\.(?:md|txt)$/.test(path) ? proseOfMarkdown(text) : proseOfSource(text);
}

/** Quotations and code in backticks are not ours. */
function withoutQuotations(text: string): string {
  return text.replace(/`[^`]*`/g, '').replace(/"[^"\n]*"/g, '');
}

/** Names of columns are what they were when their migration landed. */
const SQL = /\b(?:SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER) [\s\S]/;

function ruledOut({ text }: Prose, path = ''): string[] {
  if (SQL.test(text)) return [];
  const own = withoutQuotations(text.replace(/\n\s*\*? ?/g, ' '));
  return RULED_OUT.flatMap(([words, instead, where]) => {
    const [found] = !where || where.test(path) ? (words.exec(own) ?? []) : [];
    return found === undefined ? [] : [`"${found}": say ${instead}`];
  });
}

test('comments, texts and documentation keep to the words of docs/words.md', () => {
  const found = files().flatMap((path) =>
    proseOf(path).flatMap((prose) => ruledOut(prose, path).map((what) => `${path}:${prose.line}: ${what}`)),
  );
  expect(found).toEqual([]);
});

test.each([
  'There is no key of that name, and no one is notified any longer.',
  'It takes no more than 5 pages, and is no longer pending.',
  'Watch the page and tell me when it changes.',
  'A default that looks like a secret is looked up twice.',
  'The privacy notice is fault-tolerant.',
  'A token with no more rights than it needs.',
  'Tell the user what was found.',
])('good English is accepted: %s', (text) => {
  expect(ruledOut({ line: 1, text })).toEqual([]);
});

test.each([
  'this is no whole key',
  'nobody is told',
  'it is made anew',
  'the page is there no more',
  'what was looked at',
])('a ruled-out phrase is found: %s', (text) => {
  expect(ruledOut({ line: 1, text })).not.toEqual([]);
});

test('code is not read as prose', () => {
  const source = [
    "import { told } from './nobody.ts';",
    'const told = a / b / whoever; // nobody',
    `const pattern = /anew["'\`]/; const text = \`heed \${told(\`x \${anew}\`)} end\`;`,
    '/** is no\n * key */',
  ].join('\n');
  expect(proseOfSource(source).map(({ line, text }) => `${line}:${text}`)).toEqual([
    '1:',
    '2: nobody',
    '3:x  … ',
    '3:heed  …  end',
    '4:* is no\n * key ',
  ]);
});
