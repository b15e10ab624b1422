import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { TextRunJudge } from '../../src/browse/readers/html/content/choose-runs.ts';
import {
  COUNTED_COLUMNS,
  type PageSigns,
  readFeatures,
} from '../../src/browse/readers/html/content/features.ts';
import type { ContentLexicon } from '../../src/browse/readers/html/content/lexicon.ts';
import { inlineNamesOf, type PageTextRuns } from '../../src/browse/readers/html/content/runs.ts';
import { readElementNames } from '../../src/browse/readers/html/visibility/page-parts.ts';
import { readHtml } from '../../src/browse/readers/html.ts';
import { readSet } from '../extract-set-score.ts';

const EMPTY: ContentLexicon = { names: new Map(), words: new Map(), headings: new Map() };

/** Writes what train.py learns from into a folder: `features.bin` (a row of 32-bit floats for each run) and `pages.jsonl`. */
export function writeRuns(set: string, folder: string): void {
  const values = openSync(join(folder, 'features.bin'), 'w');
  const lines = openSync(join(folder, 'pages.jsonl'), 'w');
  for (const page of readSet(set)) {
    const read = (found: PageTextRuns, signs: PageSigns) => {
      const { runs, boxes } = found;
      const rows = readFeatures(found, signs, EMPTY);
      for (let i = 0; i < runs.length; i++)
        writeSync(values, new Uint8Array(rows.values.buffer, i * rows.width * 4, COUNTED_COLUMNS * 4));
      const places = new Map(boxes.map((box, i) => [box, i]));
      const line = {
        id: page.id,
        kind: page.kind,
        host: URL.parse(page.url)?.hostname ?? page.id,
        width: COUNTED_COLUMNS,
        truth: page.truth,
        boxes: boxes.map((box) => [
          box.up ? places.get(box.up) : -1,
          readElementNames(box.element),
          box.element.tag,
        ]),
        runs: runs.map((run) => ({
          text: run.texts.map(({ data }) => data).join(''),
          kept: run.kept,
          size: run.size,
          box: places.get(run.box),
          names: inlineNamesOf(run),
          tokens: run.tokens,
          words: run.words,
        })),
      };
      writeSync(lines, `${JSON.stringify(line)}\n`);
      return undefined;
    };
    const judge: TextRunJudge = Object.assign(read, { everyPage: true } as const);
    readHtml(page.html, page.url, false, judge);
  }
  closeSync(values);
  closeSync(lines);
}
