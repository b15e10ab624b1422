import type { DefuddleOptions } from 'defuddle';
import { type Article, average, readArticles, score, visibleText } from './extract-score.ts';
import { isSet, readSet } from './extract-set-score.ts';

/**
 * One extractor in a process of its own, so that its memory is its own too: on each `round <seconds>` it turns all
 * pages into Markdown, so often that it takes that long, since the quick ones would measure a moment of the machine, and answers with the milliseconds of one pass; on `score` it answers with how well it did;
 * on `texts <from> <to>` with what it found on each of these pages and the processor seconds of that.
 */

type Extract = (page: Article) => string | Promise<string>;

const TOOLS: Readonly<Record<string, () => Promise<Extract>>> = {
  async ours() {
    const { readHtml } = await import('../src/browse/readers/html.ts');
    return ({ html, url }) => readHtml(html, url).markdown;
  },
  async reader() {
    const [{ createPageReader }, { createReaderPool }] = await Promise.all([
      import('../src/browse/reading/page-reader.ts'),
      import('../src/browse/reading/reader-pool.ts'),
    ]);
    const reader = createPageReader(createReaderPool());
    const signal = new AbortController().signal;
    const contentType = 'text/html; charset=utf-8';
    return async ({ html, url }) =>
      (await reader.readPage({ url, contentType, body: Buffer.from(html) }, signal)).page.markdown;
  },
  async 'readability+jsdom'() {
    const [{ JSDOM, VirtualConsole }, { Readability }, markdown] = await Promise.all([
      import('jsdom'),
      import('@mozilla/readability'),
      toMarkdown(),
    ]);
    return ({ html, url }) => {
      const dom = new JSDOM(html, { url, virtualConsole: new VirtualConsole() });
      const found = new Readability(dom.window.document).parse();
      dom.window.close();
      return markdown(found?.content ?? '');
    };
  },
  async 'readability+linkedom'() {
    const [{ parseHTML }, { Readability }, markdown] = await Promise.all([
      import('linkedom'),
      import('@mozilla/readability'),
      toMarkdown(),
    ]);
    return ({ html }) =>
      markdown(new Readability(parseHTML(html).document as unknown as Document).parse()?.content ?? '');
  },
  async defuddle() {
    const [{ parseHTML }, { Defuddle }, markdown] = await Promise.all([
      import('linkedom'),
      import('defuddle/node'),
      toMarkdown(),
    ]);
    const options: DefuddleOptions = { useAsync: false };
    return async ({ html, url }) => {
      const { document } = parseHTML(html);
      return markdown((await Defuddle(document as never, url, options)).content ?? '');
    };
  },
  async dump() {
    const { readOutline } = await import('../src/browse/readers/html-outline.ts');
    return ({ html }) => readOutline(html, 'time').markdown;
  },
};

async function toMarkdown(): Promise<(html: string) => string> {
  const { default: Turndown } = await import('turndown');
  const turndown = new Turndown({ headingStyle: 'atx', codeBlockStyle: 'fenced', emDelimiter: '*' });
  return (html) => (html ? turndown.turndown(html) : '');
}

const [name = '', folder = ''] = process.argv.slice(2);
const pages = isSet(folder) ? readSet(folder) : readArticles(folder);
// defuddle writes every problem that it meets on the console.
for (const method of ['log', 'warn', 'error', 'info', 'debug'] as const)
  globalThis.console[method] = () => {};
const extract = await TOOLS[name]?.();

async function runAll(some = pages): Promise<string[]> {
  const attempt = async (page: Article) => {
    try {
      return (await extract?.(page)) ?? '';
    } catch {
      return '';
    }
  };
  if (name === 'reader') return Promise.all(some.map(attempt));
  const found: string[] = [];
  for (const page of some) found.push(await attempt(page));
  return found;
}

process.on('message', async (message) => {
  const [asked, from, to] = String(message).split(' ');
  if (asked === 'texts') {
    const some = pages.slice(Number(from), Number(to));
    const began = process.cpuUsage();
    const texts = await runAll(some);
    const { user, system } = process.cpuUsage(began);
    process.send?.({ texts, seconds: (user + system) / 1e6 });
    return;
  }
  if (asked !== 'round') {
    const found = await runAll();
    process.send?.(average(pages.map(({ truth }, i) => score(truth, visibleText(found[i] ?? '')))));
    return;
  }
  const began = performance.now();
  let passes = 0;
  do {
    await runAll();
    passes++;
  } while (performance.now() - began < 1000 * Number(from));
  const ms = (performance.now() - began) / passes;
  process.send?.({ ms, megabytes: process.resourceUsage().maxRSS / 1024 });
});
process.send?.('ready');
