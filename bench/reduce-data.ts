import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';

/** A page of the article benchmark, and what our own readers of it asked. */
export interface AskedPage {
  readonly id: string;
  readonly title: string;
  /** The labelled main text, one block a paragraph. */
  readonly text: string;
  readonly html: string;
  readonly questions: readonly Question[];
  /** Ranking was tuned on the first half only. */
  readonly half: 'tune' | 'test';
}

export interface Question {
  readonly page: string;
  readonly question: string;
  /** Strings of the block that answers it; each alone shows that the block is there. */
  readonly answers: readonly string[];
}

/** The pages that questions are asked about, from a folder laid out as scrapinghub's article benchmark is. */
export async function askedPages(folder: string): Promise<AskedPage[]> {
  const truth = JSON.parse(await readFile(`${folder}/ground-truth.json`, 'utf8')) as Readonly<
    Record<string, { readonly articleBody: string }>
  >;
  const questions = JSON.parse(
    await readFile(new URL('./data/questions.json', import.meta.url), 'utf8'),
  ) as readonly Question[];
  const ids = [...new Set(questions.map(({ page }) => page))].filter((id) => truth[id]).sort();
  return Promise.all(
    ids.map(async (id): Promise<AskedPage> => {
      const html = gunzipSync(await readFile(`${folder}/html/${id}.html.gz`)).toString('utf8');
      return {
        id,
        title: /<title[^>]*>([^<]*)</i.exec(html)?.[1]?.trim() ?? '',
        text: (truth[id]?.articleBody ?? '').replace(/\n+/g, '\n\n'),
        html,
        questions: questions.filter(({ page }) => page === id),
        half: Number.parseInt(id.slice(-1), 16) % 2 === 0 ? 'tune' : 'test',
      };
    }),
  );
}

/** Whether the text holds an answer, whatever the Markdown around it. */
export function holds(text: string, { answers }: Question): boolean {
  const flat = plain(text);
  return answers.some((answer) => flat.includes(plain(answer)));
}

/** Only letters, digits and signs of money: how a page's quotes, dashes and spaces are written does not count. */
function plain(text: string): string {
  return text
    .replace(/\]\([^)\s]*\)/g, '')
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}$€£%]+/gu, '')
    .toLowerCase();
}
