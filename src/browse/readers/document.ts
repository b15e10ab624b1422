import { withoutInvisible } from '../../lib/text/invisible.ts';
import { decodePage } from '../fetching/charset.ts';
import { detectPageKind, isOle } from '../fetching/page-kind.ts';
import { toUrl } from '../fetching/page-url.ts';
import type { PageContent, PageKind, RawPage } from '../reading/page.ts';

const MAX_DEPTH = 3;

/** Reads a document in this thread. Throws AppError `unsupported` or `too_large` with the document's name. */
export async function readDocument(kind: PageKind, raw: RawPage, depth = 0): Promise<PageContent> {
  const { url, body } = raw;
  const readInside = async (part: RawPage) => readDocument(await detectPageKind(part), part, depth + 1);
  const deeper = depth < MAX_DEPTH ? readInside : undefined;
  switch (kind) {
    case 'pdf':
      return (await import('./pdf/pdf.ts')).readPdf(body, url, raw.password, deeper);
    case 'html': {
      const { text, note } = await decodePage(raw, 'html');
      if (raw.watched) return readWatched(raw, text);
      return noted(await (await import('./html.ts')).readHtml(text, toUrl(url).href, raw.structured), note);
    }
    case 'feed':
    case 'notebook': {
      const decoded = await decodePage(raw, 'xml');
      const text = withoutInvisible(decoded.text);
      const data = await dataOf(text, kind, raw);
      if (!/^\s*\{/.test(text)) {
        const feed = await (await import('./feeds/feed.ts')).readFeed(text, url);
        return noted({ ...feed, ...data }, decoded.note);
      }
      const known = await (await import('./json.ts')).readKnownJson(text, url);
      return { ...(known ?? (await import('./text.ts')).readText(text, url, 'json', '')), ...data };
    }
    case 'email':
    case 'mbox': {
      if (isOle(body)) return (await import('./office/msg.ts')).readMsg(body, url, deeper);
      return (await import('./email.ts')).readMail(body, url, kind, deeper);
    }
    case 'epub':
      return (await import('./office/epub.ts')).readEpub(body, url);
    case 'docx':
      return (await import('./office/docx.ts')).readDocx(body, url, deeper);
    case 'xlsx':
      return (await import('./office/xlsx.ts')).readXlsx(body, url);
    case 'pptx':
      return (await import('./office/pptx.ts')).readPptx(body, url);
    case 'odt':
    case 'ods':
    case 'odp':
      return (await import('./office/opendocument.ts')).readOpenDocument(body, url, kind);
    case 'rtf':
      return (await import('./office/rtf.ts')).readRtf(body, url);
    case 'csv': {
      const { text, note } = await decodePage(raw, 'nothing');
      const markdown = (await import('./csv.ts')).convertCsvToMarkdown(withoutInvisible(text));
      return noted({ title: '', markdown }, note);
    }
    case 'calendar': {
      const { joinSplitCharacters } = await import('./calendar/content-lines.ts');
      const { text, note } = await decodePage({ ...raw, body: joinSplitCharacters(raw.body) }, 'nothing');
      const { readCalendar } = await import('./calendar/calendar.ts');
      return noted(readCalendar(withoutInvisible(text), url), note);
    }
    default: {
      const { text: whole, note } = await decodePage(raw, kind === 'xml' ? 'xml' : 'nothing');
      const text = withoutInvisible(whole);
      const data = await dataOf(text, kind, raw);
      return noted({ ...(await import('./text.ts')).readText(text, url, kind, typeOf(raw)), ...data }, note);
    }
  }
}

async function readWatched({ url, watched = {}, structured }: RawPage, text: string): Promise<PageContent> {
  const { takeWatchedHtml } = await import('./html/watched-html.ts');
  const html = takeWatchedHtml(text, url, watched);
  if (watched.selector === undefined)
    return (await import('./html.ts')).readHtml(html, toUrl(url).href, structured);
  return { title: '', markdown: (await import('./fragment.ts')).fragmentToMarkdown(html, toUrl(url).href) };
}

function noted(content: PageContent, note: string | undefined): PageContent {
  if (note === undefined) return content;
  return { ...content, reduced: [content.reduced, note].filter(Boolean).join('; ') };
}

function typeOf({ contentType }: RawPage): string {
  return contentType.toLowerCase().split(';')[0]?.trim() ?? '';
}

async function dataOf(text: string, kind: PageKind, raw: RawPage): Promise<Pick<PageContent, 'structured'>> {
  if (!raw.structured) return {};
  const { readFileData } = await import('./file-data.ts');
  const path = toUrl(raw.url).pathname;
  return { structured: await readFileData(text, kind, { type: typeOf(raw), path }) };
}
