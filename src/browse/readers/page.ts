import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { tooLargeError } from '../../errors.ts';
import { findOrders } from '../../lib/orders/find-orders.ts';
import { withoutInvisible } from '../../lib/text/invisible.ts';
import { decodePage } from '../fetching/charset.ts';
import { detectPageKind } from '../fetching/page-kind.ts';
import { nameFromUrl } from '../fetching/page-url.ts';
import type { OutlineCause, Page, PageContent, PageKind, RawPage } from '../reading/page.ts';
import { guessNeedsScripts, type NeedsScripts } from '../rendering/needs-scripts.ts';
import { brokenFile } from './broken-file-error.ts';
import { readDocument } from './document.ts';

const MAX_UNPACKED_BYTES = 50_000_000;

/** Converts a page or document. Its Markdown may be ''. Throws AppError `unsupported` or `too_large`. */
export async function readPage(
  raw: RawPage,
  outline?: OutlineCause,
  onKind: (kind: PageKind) => void = () => {},
): Promise<{ readonly page: Page; readonly scripted: NeedsScripts }> {
  const { url } = raw;
  const source = await unpacked(raw);
  const kind = await detectPageKind(source);
  onKind(kind);
  if (source.body.length === 0) {
    return { page: { url, kind, title: line(nameFromUrl(url)), markdown: '' }, scripted: 'no' };
  }
  const content =
    kind === 'html' && outline
      ? (await import('./html-outline.ts')).readOutline((await decodePage(source, 'html')).text, outline)
      : await readDocument(kind, source);
  const title = line(content.title) || line(nameFromUrl(url));
  const warnings = findOrders(content.markdown, title);
  const page = { ...told(content), url, kind, title, warnings };
  const isWhole = kind === 'html' && raw.watched?.selector === undefined;
  return { page, scripted: isWhole ? guessNeedsScripts(raw.body, page.markdown) : 'no' };
}

const MAX_LINE_CHARS = 500;
const MAX_LINK_CHARS = 200;

function told({
  author,
  site,
  description,
  links,
  units: _units,
  ...content
}: PageContent): Omit<PageContent, 'units'> {
  return {
    ...content,
    author: author !== undefined ? line(author) : undefined,
    site: site !== undefined ? line(site) : undefined,
    description: description !== undefined ? line(description, 2 * MAX_LINE_CHARS) : undefined,
    links: links ? links.map(({ url, text }) => ({ url, text: line(text, MAX_LINK_CHARS) })) : undefined,
  };
}

function line(text: string, most = MAX_LINE_CHARS): string {
  const whole = withoutInvisible(text.slice(0, 4 * most)).replace(/[\s\p{Cc}]+/gu, ' ');
  return whole
    .trim()
    .slice(0, most)
    .replace(/[\ud800-\udbff]$/, '');
}

async function unpacked(raw: RawPage): Promise<RawPage> {
  const { url, body } = raw;
  if (body[0] !== 0x1f || body[1] !== 0x8b) return raw;
  try {
    const inside = await promisify(gunzip)(body, { maxOutputLength: MAX_UNPACKED_BYTES });
    return { ...raw, url: url.replace(/\.gz(?=$|[?#])/i, ''), contentType: '', body: inside };
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') {
      const why = `ResponseTooLarge: ${url} unpacks to over ${MAX_UNPACKED_BYTES / 1e6} MB, which is the limit`;
      throw tooLargeError(why, { cause });
    }
    throw brokenFile(url, 'gzip archive', cause);
  }
}
