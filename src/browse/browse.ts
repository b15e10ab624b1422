import { AppError, asAppError } from '../errors.ts';
import type { GuardedFetch } from '../lib/fetch.ts';
import { shareWords } from './budget.ts';
import { createHtmlReader, type HtmlReader } from './html-reader.ts';
import { kindOf } from './kind.ts';
import { linksOf } from './links.ts';
import { outlineOf, sectionAt, sectionOf } from './outline.ts';
import type { Content, Page, RawPage } from './page.ts';
import { cutParts } from './parts.ts';
import { reduce } from './reduce.ts';
import { summarize } from './summarize.ts';

/** Reads pages, and cuts their text down. */
export interface Browse {
  /**
   * The page at an address as Markdown. AppError: `upstream` and `timeout` begin with "Error fetching
   * content"; `unsupported` names the type; `bad_request` and `forbidden` name the address.
   */
  read(url: string, signal: AbortSignal): Promise<Page>;
  /**
   * A file or an attachment as Markdown. `raw.url` may be an address or, where there is none, a name such
   * as `report.pdf`; `raw.contentType` may be ''. AppError `unsupported` names the type, or says what is
   * wrong with the file.
   */
  readBytes(raw: RawPage, signal: AbortSignal): Promise<Page>;
  readonly reduce: typeof reduce;
  readonly cutParts: typeof cutParts;
  readonly outlineOf: typeof outlineOf;
  readonly sectionOf: typeof sectionOf;
  readonly sectionAt: typeof sectionAt;
  readonly linksOf: typeof linksOf;
  readonly summarize: typeof summarize;
  readonly shareWords: typeof shareWords;
  close(): Promise<void>;
}

export interface BrowseOptions {
  readonly fetch: GuardedFetch;
  /** Most bytes of a page, unpacked. */
  readonly maxBytes: number;
  /** Milliseconds for one page. */
  readonly timeoutMs: number;
}

const ACCEPT =
  'text/html,application/xhtml+xml,text/markdown;q=0.9,application/pdf;q=0.8,text/plain;q=0.8,*/*;q=0.5';

export function createBrowse({ fetch, maxBytes, timeoutMs }: BrowseOptions): Browse {
  const html = createHtmlReader();

  async function get(url: string, signal: AbortSignal): Promise<RawPage> {
    const response = await fetch(url, { signal, maxBytes, timeoutMs, headers: { accept: ACCEPT } });
    if (response.status >= 200 && response.status < 300) {
      return {
        url: response.url,
        contentType: response.headers.get('content-type') ?? '',
        body: response.body,
      };
    }
    const retry = Number(response.headers.get('retry-after'));
    throw new AppError('upstream', `${url} answered ${response.status}${ADVICE[response.status] ?? ''}`, {
      ...(retry > 0 && { retryAfter: retry }),
    });
  }

  return {
    async read(url, signal) {
      try {
        const raw = await get(url, signal);
        const page = await readPage(raw, html, signal);
        if (page.markdown.trim()) return page;
        throw new AppError('upstream', `${url} has no text without running its scripts; try another page`);
      } catch (thrown) {
        throw readingError(thrown);
      }
    },
    async readBytes(raw, signal) {
      const page = await readPage(raw, html, signal);
      if (page.markdown.trim()) return page;
      throw new AppError('unsupported', `${raw.url} has no text`);
    },
    reduce,
    cutParts,
    outlineOf,
    sectionOf,
    sectionAt,
    linksOf,
    summarize,
    shareWords,
    close: () => html.close(),
  };
}

const ADVICE: Readonly<Record<number, string>> = {
  401: ': it wants a login; try another page',
  403: ': it refuses readers such as this one; try another page',
  404: ': there is no such page; check the address, or search for it',
  410: ': the page is gone; search for it',
  429: ': it is asked too often; wait, or try another page',
  451: ': it may not show this; try another page',
  500: ': it has a fault of its own; try again, or another page',
  503: ': it is busy; try again, or another page',
};

function readingError(thrown: unknown): AppError {
  const error = asAppError(thrown);
  if (error.code !== 'upstream' && error.code !== 'timeout') return error;
  return new AppError(error.code, `Error fetching content: ${error.message}`, {
    cause: thrown,
    ...(error.retryAfter !== undefined && { retryAfter: error.retryAfter }),
  });
}

/** Bytes to text, by the reader that fits what they are; each reader is loaded when it is first needed. */
export async function readPage(raw: RawPage, html: HtmlReader, signal: AbortSignal): Promise<Page> {
  const { nameOf } = await import('./readers/text.ts');
  const addressed = { ...raw, url: addressOf(raw.url) };
  const kind = kindOf(addressed);
  if (raw.body.length === 0) return { url: raw.url, kind, title: nameOf(addressed.url), markdown: '' };
  const content = await readAs(kind, addressed, html, signal);
  return { ...content, url: raw.url, kind, title: content.title || nameOf(addressed.url) };
}

/** A bare name as the file address that URL can take apart; `C:\a.pdf` is no URL of the scheme `c`. */
function addressOf(name: string): string {
  if (/^(https?|file):/i.test(name) && URL.canParse(name)) return name;
  return `file:///${encodeURIComponent(name)}`;
}

async function readAs(
  kind: Page['kind'],
  raw: RawPage,
  html: HtmlReader,
  signal: AbortSignal,
): Promise<Content> {
  if (kind === 'pdf') return (await import('./readers/pdf.ts')).readPdf(raw.body, raw.url, signal);
  const text = await decodeText(raw, kind);
  if (kind === 'html') return html.read(text, raw.url, signal);
  if (kind === 'feed') return (await import('./readers/feed.ts')).readFeed(text, raw.url);
  const [{ readText }, { withoutInvisible }] = await Promise.all([
    import('./readers/text.ts'),
    import('./readers/hidden.ts'),
  ]);
  return readText(withoutInvisible(text), raw.url, kind);
}

/** The text in the encoding that the mark, the header or the page itself names; UTF-8 where none does and it fits. */
async function decodeText({ body, contentType }: RawPage, kind: Page['kind']): Promise<string> {
  const label = /charset\s*=\s*"?([^\s;"]+)/i.exec(contentType)?.[1];
  const head = Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, 200)).toString('latin1');
  const declared = kind === 'html' ? undefined : /^\W*<\?xml[^>]*encoding=["']([\w-]+)/i.exec(head)?.[1];
  const named = label ?? declared;
  if (named === undefined && isUtf8(body)) return new TextDecoder().decode(body);
  const { default: sniff } = await import('html-encoding-sniffer');
  const encoding = sniff(body, named === undefined ? {} : { transportLayerEncodingLabel: named });
  return new TextDecoder(encoding).decode(body);
}

function isUtf8(body: Uint8Array): boolean {
  // UTF-16 without a single odd byte would pass for UTF-8; its mark tells it apart.
  if ((body[0] === 0xff && body[1] === 0xfe) || (body[0] === 0xfe && body[1] === 0xff)) return false;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(body);
    return true;
  } catch {
    return false;
  }
}
