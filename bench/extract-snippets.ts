import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readHtml } from '../src/browse/readers/html.ts';
import { decodeBytes } from '../src/lib/encoding/decode-bytes.ts';
import { visibleText } from './extract-score.ts';
import { printTable } from './figures.ts';

/** A page of trafilatura's evaluation: short texts that belong to the content, and others that do not. */
interface SnippetPage {
  readonly file: string;
  readonly with: readonly string[];
  readonly without: readonly string[];
}

const EVALUATION = 'evaldata.json';

/** True for a folder with `evaldata.json`, by address as in trafilatura's `tests/evaldata.py`, and the pages beside it. */
export const hasSnippets = (folder: string): boolean => existsSync(join(folder, EVALUATION));

/** The rules may be developed on pages with an odd last hex digit. The even half stays unseen. */
function isOdd({ file }: SnippetPage): boolean {
  const digest = createHash('sha256').update(file).digest('hex');
  return Number.parseInt(digest.slice(-1), 16) % 2 === 1;
}

/** Drops marks of Markdown that a reader of the rendered text does not see. */
const plain = (text: string): string =>
  visibleText(text)
    .replace(/^[ \t]*(?:[-*>]|#{1,6}|\d+\.)[ \t]+/gm, '')
    .replace(/[*_`|\\]/g, '')
    .replace(/\s+/g, ' ')
    .trim();

export function runSnippets(folder: string): void {
  const data: Record<string, SnippetPage> = JSON.parse(readFileSync(join(folder, EVALUATION), 'utf8'));
  const pages = Object.entries(data).filter(([, page]) => isOdd(page));
  let [found, missed, extra] = [0, 0, 0];
  const began = process.cpuUsage();
  for (const [url, page] of pages) {
    const html = decodeBytes(readFileSync(join(folder, page.file)), { declares: 'html' }).text;
    const text = plain(readHtml(html, url).markdown);
    const kept = page.with.filter((snippet) => text.includes(plain(snippet))).length;
    found += kept;
    missed += page.with.length - kept;
    extra += page.without.filter((snippet) => text.includes(plain(snippet))).length;
  }
  const { user, system } = process.cpuUsage(began);
  const [precision, recall] = [found / (found + extra), found / (found + missed)];
  process.stdout.write(`\n## extract --set: ${pages.length} pages of the odd half, snippets\n\n`);
  printTable(
    ['F1', 'precision', 'recall', 'not found', 'too much', 'pages a processor second'],
    [
      [
        ...[(2 * precision * recall) / (precision + recall), precision, recall].map((one) => one.toFixed(4)),
        `${missed}`,
        `${extra}`,
        ((pages.length * 1e6) / (user + system)).toFixed(1),
      ],
    ],
  );
}
