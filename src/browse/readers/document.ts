import { decodeText } from '../fetching/charset.ts';
import { isOle } from '../fetching/file-signatures.ts';
import { detectPageKind } from '../fetching/page-kind.ts';
import { toUrl } from '../fetching/page-url.ts';
import type { PageContent, PageKind, RawPage } from '../reading/page.ts';
import { withoutInvisible } from './invisible-text.ts';

/** Maximum nesting of documents in documents, such as a mail attached to a mail. */
const MAX_DEPTH = 3;

/** Converts a document to Markdown in this thread. AppError `unsupported` or `too_large` names the document. */
export async function readDocument(kind: PageKind, raw: RawPage, depth = 0): Promise<PageContent> {
  const { url, body } = raw;
  switch (kind) {
    case 'pdf':
      return (await import('./pdf/pdf.ts')).readPdf(body, url, raw.password);
    case 'html':
      return (await import('./html.ts')).readHtml(
        await decodeText(raw, 'html'),
        toUrl(url).href,
        raw.structured,
      );
    case 'feed':
    case 'notebook': {
      const text = withoutInvisible(await decodeText(raw, 'xml'));
      const data = await dataOf(text, kind, raw);
      if (!/^\s*\{/.test(text))
        return { ...(await (await import('./feed.ts')).readFeed(text, url)), ...data };
      const known = await (await import('./json.ts')).readKnownJson(text, url);
      return { ...(known ?? (await import('./text.ts')).readText(text, url, 'json', '')), ...data };
    }
    case 'email':
    case 'mbox': {
      const deeper = depth < MAX_DEPTH ? inside(depth) : undefined;
      if (isOle(body)) return (await import('./office/msg.ts')).readMsg(body, url, deeper);
      return (await import('./email.ts')).readMail(body, url, kind, deeper);
    }
    case 'epub':
      return (await import('./office/epub.ts')).readEpub(body, url);
    case 'docx':
      return (await import('./office/docx.ts')).readDocx(body, url);
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
    case 'csv':
      return {
        title: '',
        markdown: (await import('./csv.ts')).readCsv(withoutInvisible(await decodeText(raw, 'nothing'))),
      };
    case 'calendar': {
      const { readCalendar } = await import('./calendar.ts');
      return readCalendar(withoutInvisible(await decodeText(raw, 'nothing')), url);
    }
    default: {
      const text = withoutInvisible(await decodeText(raw, kind === 'xml' ? 'xml' : 'nothing'));
      const data = await dataOf(text, kind, raw);
      return { ...(await import('./text.ts')).readText(text, url, kind, typeOf(raw)), ...data };
    }
  }
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

/** Returns a reader for documents that this document contains, such as attachments of a mail. */
function inside(depth: number): (raw: RawPage) => Promise<PageContent> {
  return async (raw) => readDocument(await detectPageKind(raw), raw, depth + 1);
}
