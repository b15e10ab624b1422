import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readHtml } from '../../src/browse/readers/html.ts';
import { visibleText } from '../extract-score.ts';
import { readSet, type SetScore, scoreSetPage } from '../extract-set-score.ts';
import { printTable } from '../figures.ts';

/** Prints the scores of a set's pages, each judged by trees that saw no page of its site (chances.jsonl of train.py), and those of rules alone. */
export function printFolds(set: string, folder: string): void {
  const lines = readFileSync(join(folder, 'chances.jsonl'), 'utf8').trim().split('\n');
  const chances = new Map(
    lines.map((line) => {
      const { id, chances: own }: { id: string; chances: number[] } = JSON.parse(line);
      return [id, own];
    }),
  );
  for (const rules of [false, true]) {
    const scores = readSet(set).map((page) => {
      const { markdown } = readHtml(page.html, page.url, false, ({ runs }) => {
        const own = rules ? undefined : chances.get(page.id);
        return own?.length === runs.length ? own : undefined;
      });
      return { kind: page.kind, ...scoreSetPage(page, visibleText(markdown)) };
    });
    process.stdout.write(`\n${rules ? 'rules alone' : 'rules and trees, in folds of sites'}\n\n`);
    print(scores);
  }
}

function print(scores: readonly ({ readonly kind: string } & SetScore)[]): void {
  const kinds = [...new Set(scores.map(({ kind }) => kind)), 'all'];
  printTable(
    ['', 'pages', 'F1', 'precision', 'recall', 'nearly empty'],
    kinds.map((kind) => {
      const of = scores.filter((one) => kind === 'all' || one.kind === kind);
      const mean = (key: keyof SetScore) =>
        (of.reduce((sum, one) => sum + one[key], 0) / of.length).toFixed(4);
      return [kind, `${of.length}`, mean('f1'), mean('precision'), mean('recall'), mean('empty')];
    }),
  );
}
