import { AppError } from '../../errors.ts';
import { nameOf } from './text.ts';

const PAGES = 2000;

/** Text of a PDF, page by page, in paragraphs. Encrypted, broken and scanned files get a clear word. */
export async function readPdf(
  body: Uint8Array,
  url: string,
  signal: AbortSignal,
): Promise<{ title: string; markdown: string }> {
  const { getDocumentProxy, getMeta } = await import('unpdf');
  let document: Awaited<ReturnType<typeof getDocumentProxy>>;
  try {
    document = await getDocumentProxy(new Uint8Array(body), { verbosity: 0 });
  } catch (cause) {
    const locked = (cause as Error).name === 'PasswordException';
    const why = locked ? 'is an encrypted PDF and needs a password' : 'is a broken PDF';
    throw new AppError('unsupported', `${url} ${why}`, { cause });
  }
  try {
    const pages: string[] = [];
    for (let number = 1; number <= Math.min(document.numPages, PAGES); number++) {
      signal.throwIfAborted();
      const page = await document.getPage(number);
      const { items } = await page.getTextContent();
      pages.push(paragraphs(items.flatMap((item) => ('str' in item ? [item] : []))));
      page.cleanup();
    }
    const markdown = pages.filter(Boolean).join('\n\n');
    if (!markdown) throw new AppError('unsupported', `${url} is a PDF without text, as scanned ones are`);
    const { info } = await getMeta(document).catch(() => ({ info: {} as Record<string, unknown> }));
    const title = typeof info.Title === 'string' ? info.Title.trim() : '';
    return { title: title || nameOf(url), markdown };
  } finally {
    await document.loadingTask.destroy();
  }
}

interface Item {
  readonly str: string;
  readonly hasEOL: boolean;
  readonly height: number;
  readonly transform: readonly number[];
}

/** Lines joined into paragraphs: a gap of more than one and a half lines begins a new one. */
function paragraphs(items: readonly Item[]): string {
  let text = '';
  let last: number | undefined;
  for (const { str, hasEOL, height, transform } of items) {
    const y = transform[5] ?? 0;
    if (last !== undefined && str.trim() && Math.abs(last - y) > 1.7 * (height || 10))
      text = `${text.trimEnd()}\n\n`;
    if (str.trim()) last = y;
    text += str + (hasEOL ? '\n' : '');
  }
  return text
    .split(/\n{2,}/)
    .map((paragraph) =>
      paragraph
        .replace(/(\p{Ll})-\n(\p{Ll})/gu, '$1$2')
        .replace(/\s+/g, ' ')
        .trim(),
    )
    .filter(Boolean)
    .join('\n\n');
}
