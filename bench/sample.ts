import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import questions from './data/questions.json' with { type: 'json' };
import { syntheticTexts } from './local-texts.ts';

/** Articles and judged texts of the sample, and words of each of those. */
const [ARTICLES, DOCUMENTS, DOCUMENT_WORDS] = [4, 12, 40];

/**
 * Writes data of made-up words into a folder, laid out as MAGPIE_BENCH_DATA is: a few articles with questions, and a judged collection. With
 * it the short forms of benches run where no data is. Each article has the answers to its questions, and each document is
 * what the question of its first words looks for.
 */
export function writeSample(folder: string): void {
  const texts = syntheticTexts();
  const articles = join(folder, 'articles', 'dev');
  mkdirSync(join(articles, 'html'), { recursive: true });
  const truth: Record<string, { readonly articleBody: string; readonly url: string }> = {};
  for (const id of new Set(questions.map(({ page }) => page))) {
    if (Object.keys(truth).length === ARTICLES) break;
    const { title } = texts.page();
    const answers = questions.filter(({ page }) => page === id).map((one) => one.answers[0] ?? '');
    const paragraphs = answers.map((answer) => `${sentencesOf(texts.page().text)} ${answer}.`);
    truth[id] = { articleBody: paragraphs.join('\n'), url: `https://example.com/${id}` };
    const body = paragraphs.map((text) => `<p>${text}</p>`).join('');
    const html = `<!doctype html><title>${title}</title><article><h1>${title}</h1>${body}</article>`;
    writeFileSync(join(articles, 'html', `${id}.html.gz`), gzipSync(html));
  }
  writeFileSync(join(articles, 'ground-truth.json'), JSON.stringify(truth));
  const collection = join(folder, 'retrieval', 'dev', 'sample');
  mkdirSync(collection, { recursive: true });
  const documents = Array.from({ length: DOCUMENTS }, (_, at) => {
    const { title, text } = texts.page();
    return { _id: `d${at}`, title, text: text.split(' ', DOCUMENT_WORDS).join(' ') };
  });
  const lines = (of: readonly object[]) => of.map((one) => `${JSON.stringify(one)}\n`).join('');
  writeFileSync(join(collection, 'corpus.jsonl'), lines(documents));
  const asked = documents.map(({ title }, at) => ({ _id: `q${at}`, text: title }));
  writeFileSync(join(collection, 'queries.jsonl'), lines(asked));
  const judged = documents.map((_, at) => `q${at}\td${at}\t1\n`).join('');
  writeFileSync(join(collection, 'qrels.tsv'), `query\tdocument\tgain\n${judged}`);
}

/** The words of a text, with a full stop after each twelfth. */
function sentencesOf(text: string): string {
  return text.replace(/((?:\S+ ){11}\S+) /g, '$1. ');
}
