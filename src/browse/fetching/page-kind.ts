import { AppError } from '../../errors.ts';
import { parseCharset } from '../../lib/encoding/charset-label.ts';
import { utf16Encoding } from '../../lib/encoding/utf8.ts';
import { detectCodeLanguage } from '../readers/code.ts';
import type { PageKind, RawPage } from '../reading/page.ts';
import {
  describeUnsupportedFormat,
  isBinary,
  isOutlookMessage,
  isWinmail,
  OLE_SIGNATURE,
  unsupportedOleError,
} from './file-signatures.ts';
import { toUrl } from './page-url.ts';

const HEAD_CHARS = 1024;
const PDF_BEGIN = /^(?:\xef\xbb\xbf)?\s*%PDF-/;
/** Matches the first two lines of a PDF: its version, and a comment of bytes that are not valid UTF-8. */
const PDF_HEADER =
  /%PDF-\d\.\d\s{1,3}%(?!(?:[\xc2-\xdf][\x80-\xbf]){2}|[\xe0-\xef][\x80-\xbf]{2})[\x80-\xff]{3}/;
const BOMS = ['\xef\xbb\xbf', '\xff\xfe', '\xfe\xff'];

export const SUPPORTED_CONTENT = 'pages, PDF, Office documents, EPUB, mail, feeds and text are read';

const WIDE = /^(utf-16([lb]e)?|ucs-2|(cs)?unicode(feff|fffe)?|iso-10646-ucs-2)$/i;

/** Detects the kind from the bytes. Ambiguous bytes need the content type. Throws AppError `unsupported`. */
export async function detectPageKind({ url, contentType, body }: RawPage): Promise<PageKind> {
  const head = Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, HEAD_CHARS)).toString(
    'latin1',
  );
  const type = contentType.toLowerCase().split(';')[0]?.trim() ?? '';
  if (PDF_BEGIN.test(head) || (type === 'application/pdf' && head.includes('%PDF-'))) return 'pdf';
  if (head.startsWith('PK\x03\x04')) return (await import('../readers/archive.ts')).kindOfArchive(body, url);
  if (head.startsWith(OLE_SIGNATURE)) {
    if (isOutlookMessage(body)) return 'email';
    throw unsupportedOleError(url, body);
  }
  if (isWinmail(body)) return 'email';
  const wide =
    BOMS.some((bom) => head.startsWith(bom)) ||
    WIDE.test(parseCharset(contentType) ?? '') ||
    utf16Encoding(body) !== undefined;
  const unread = wide ? undefined : describeUnsupportedFormat(head);
  if (unread !== undefined) throw unsupported(url, unread);
  if (PDF_HEADER.test(head)) return 'pdf';
  if (!wide && isBinary(head))
    throw READ_TYPES.test(type) ? mislabelled(url, type) : unsupported(url, typeNamed(type));
  const text = head.replace(/\0/g, '').replace(/^[\s\xef\xbb\xbf\xff\xfe]+/, '');
  return byMarkup(withoutComments(text).toLowerCase(), type) ?? byHeader(text, type, url, body);
}

/** Detects the kind from the first tag, because content types of HTML, XML and feeds are unreliable. */
function byMarkup(text: string, type: string): PageKind | undefined {
  if (/^<(!doctype html|html|head|body)\b/.test(text)) return 'html';
  if (!/^<\?xml|^<(rss|feed|rdf:rdf|opml|urlset|sitemapindex)\b/.test(text)) return undefined;
  if (/<(rss|feed|rdf:rdf|opml|urlset|sitemapindex)[\s>]/.test(text)) return 'feed';
  return /<html[\s>]/.test(text) || type === 'application/xhtml+xml' ? 'html' : 'xml';
}

const NAMED_KINDS: readonly { readonly type: RegExp; readonly name?: RegExp; readonly kind: PageKind }[] = [
  { type: /^(?:text\/html|application\/xhtml\+xml)$/, kind: 'html' },
  { type: /^message\/rfc822$/, name: /\.(eml|mht|mhtml)$/, kind: 'email' },
  { type: /^application\/mbox$/, name: /\.mbox$/, kind: 'mbox' },
  { type: /^text\/(x-)?markdown$/, name: /\.(md|markdown|mdx)$/, kind: 'markdown' },
];
const LATER_KINDS: typeof NAMED_KINDS = [
  { type: /^text\/(csv|tab-separated-values)$/, name: /\.(csv|tsv)$/, kind: 'csv' },
  {
    type: /^(text|application)\/(x-)?(v?calendar|ics|vcard|directory)$/,
    name: /\.(ics|ical|ifb|vcs|vcf|vcard)$/,
    kind: 'calendar',
  },
  { type: /[/+](rss|atom|x-opml|opml)(\+xml)?$/, kind: 'feed' },
  { type: /[/+]xml$/, kind: 'xml' },
];

function byHeader(head: string, type: string, url: string, body: Uint8Array): PageKind {
  const path = toUrl(url).pathname.toLowerCase();
  const plain = /^(|text\/plain|(application|binary)\/octet-stream|application\/x-download)$/.test(type);
  const named = (kinds: typeof NAMED_KINDS) =>
    kinds.find((one) => one.type.test(type) || (plain && one.name?.test(path)))?.kind;
  if (head.startsWith('{\\rtf')) return 'rtf';
  const first = named(NAMED_KINDS);
  if (first) return first;
  if (/[/+]json$|ndjson$/.test(type) || (plain && isJson(head, path))) return jsonKind(head, body);
  const second = named(LATER_KINDS);
  if (second) return second;
  return (plain ? byContent(head) : undefined) ?? byRest(head, type, url, plain ? path : '');
}

function byContent(head: string): PageKind | undefined {
  if (/^<\?xml/.test(head)) return 'xml';
  if (/^BEGIN:VCA(?:LENDAR|RD)\s/i.test(head)) return 'calendar';
  if (isMail(head)) return /^From /.test(head) ? 'mbox' : 'email';
  return undefined;
}

function byRest(head: string, type: string, url: string, path: string): PageKind {
  if (detectCodeLanguage(type, path) !== undefined) return 'code';
  if (type === '' && /^<[a-z!]/i.test(head) && !/\.txt$/.test(path)) return 'html';
  if (/^(image|audio|video|font)\//.test(type)) throw unsupported(url, typeNamed(type));
  return 'text';
}

function isJson(head: string, path: string): boolean {
  return /^[[{]/.test(head) && /\.(json|geojson|jsonl|ndjson|ipynb|webmanifest)$/.test(path);
}

function jsonKind(head: string, body: Uint8Array): PageKind {
  if (/"https?:\\?\/\\?\/jsonfeed\.org\\?\/version\\?\//.test(head)) return 'feed';
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.length);
  return bytes.includes('"nbformat"') && bytes.includes('"cells"') ? 'notebook' : 'json';
}

function isMail(head: string): boolean {
  const [block = ''] = head.replace(/^From [^\n]*\n/, '').split(/\r?\n\r?\n/, 1);
  const names = new Set(block.split('\n').map((line) => /^[a-z-]{1,40}(?=:)/i.exec(line)?.[0].toLowerCase()));
  const has = (name: string) => names.has(name);
  return (
    /^[A-Za-z-]+:/.test(block) &&
    has('from') &&
    has('date') &&
    ['message-id', 'mime-version', 'received'].some(has)
  );
}

function withoutComments(text: string): string {
  let rest = text;
  while (rest.startsWith('<!--')) {
    const end = rest.indexOf('-->');
    if (end < 0) return '';
    rest = rest.slice(end + 3).trimStart();
  }
  return rest;
}

const typeNamed = (type: string): string => (type ? `of the type ${type}` : 'of an unknown type');

/** Content types that can be read. If the bytes do not fit the type, the file is damaged or mislabelled. */
const READ_TYPES =
  /^text\/|^message\/rfc822$|^application\/(?:pdf|rtf|msword|json|xml|epub\+zip|vnd\.(?:ms-|openxmlformats-|oasis\.).{0,100})$/;

function mislabelled(url: string, type: string): AppError {
  const why = 'its bytes are not: it is damaged, or something else under that name; try another copy';
  return new AppError('unsupported', `${url} is said to be of the type ${type}, and ${why}`);
}

function unsupported(url: string, what: string): AppError {
  return new AppError('unsupported', `${url} is ${what}; ${SUPPORTED_CONTENT}`);
}
