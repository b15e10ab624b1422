import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { TriedEngine } from '../../src/search/types.ts';

/**
 * Files what `magpie engines test --json` found: one issue an engine, opened when it fails, rewritten while it does, and closed
 * when it answers. Wants `gh` with the right to write issues.
 *
 *   node deploy/nightly/engine-issues.ts engines.json
 */

interface Report {
  /** When the engines were asked (ISO 8601). */
  readonly at: string;
  readonly answered: number;
  readonly engines: readonly TriedEngine[];
}

interface Issue {
  readonly number: number;
  readonly title: string;
}

const LABEL = 'engine';
const titleOf = ({ name }: TriedEngine) => `engine ${name} does not answer`;

const PAGE_CHANGED =
  'Hold the parser in `src/search/engines` against the structure below, and ask the engine from another network with `magpie engines test`. CONTRIBUTING.md says how an engine is tested.';
const TRY_ELSEWHERE =
  'Many sites refuse the addresses of this service and answer a person at home. Ask the engine from another network with `magpie engines test` before anything is changed.';
const WAIT =
  'Nothing has to be changed unless this lasts for a week: then see whether the engine has moved or ended.';

const KINDS: Readonly<Record<string, readonly [what: string, todo: string]>> = {
  changed: ['its answer has changed', PAGE_CHANGED],
  nothing: ['it finds nothing for a common question', PAGE_CHANGED],
  captcha: ['it wants a captcha', TRY_ELSEWHERE],
  rate_limited: ['its limit is reached', TRY_ELSEWHERE],
  refused: ['it refuses the request', TRY_ELSEWHERE],
  slow: ['it is too slow', WAIT],
  network: ['it was not reached', WAIT],
};

fileIssues(JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as Report);

function fileIssues({ at, answered, engines }: Report): void {
  if (answered === 0) {
    process.stderr.write('No engine answered: the network of this run is at fault, and nothing is filed.\n');
    return;
  }
  gh(['label', 'create', LABEL, '--force', '--description', 'A search engine that does not answer']);
  const open = JSON.parse(
    gh(['issue', 'list', '--label', LABEL, '--state', 'open', '--limit', '500', '--json', 'number,title']),
  ) as readonly Issue[];
  for (const engine of engines) {
    const title = titleOf(engine);
    const number = open.find((issue) => issue.title === title)?.number.toString();
    if (!engine.ok && number === undefined)
      gh(['issue', 'create', '--label', LABEL, '--title', title, '--body-file', '-'], bodyOf(engine, at));
    else if (!engine.ok && number !== undefined)
      gh(['issue', 'edit', number, '--body-file', '-'], bodyOf(engine, at));
    else if (number !== undefined)
      gh(['issue', 'close', number, '--comment', `It answered again on ${at.slice(0, 10)}.`]);
  }
}

function bodyOf(
  { name, kind = 'refused', reason = '', ms, asked, about, sample }: TriedEngine,
  at: string,
): string {
  const [what, todo] = KINDS[kind] ?? [kind, WAIT];
  const facts = [
    ['engine', `\`${name}\`: ${about.title}, \`${about.host}\``],
    ['read as', about.access === 'page' ? 'result page made for browsers' : 'interface for programs'],
    ['kind', `\`${kind}\`: ${what}`],
    ['last asked', `${at.slice(0, 16).replace('T', ' ')} UTC, ${ms} ms, "${asked}"`],
  ];
  return [
    '| | |\n| --- | --- |',
    ...facts.map(([key, value]) => `| ${key} | ${value} |`),
    `\n${todo}\n`,
    fenced(reason),
    ...(sample ? [`\n${sampleWords(sample)}\n`, fenced(sample.outline.join('\n'))] : []),
    '\nThis text is rewritten every night, and the issue is closed when the engine answers. Comments stay.\n',
  ].join('\n');
}

function sampleWords({ status, format, bytes, elsewhere }: NonNullable<TriedEngine['sample']>): string {
  const from = elsewhere ? ' of another host than the one that was asked' : '';
  return `Its answer${from}: status ${status}, ${format}, ${bytes} bytes. Its structure without texts, whose lengths are in parentheses; names with digits are masked:`;
}

/** As a block in which nothing is markup or notifies anyone. */
function fenced(text: string): string {
  return `\`\`\`text\n${text.replaceAll('```', "'''")}\n\`\`\``;
}

function gh(args: readonly string[], input = ''): string {
  return execFileSync('gh', args, { input, encoding: 'utf8', stdio: ['pipe', 'pipe', 'inherit'] });
}
