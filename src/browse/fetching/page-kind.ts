import { AppError } from '../../errors.ts';
import { parseCharset } from '../../lib/encoding/charset-label.ts';
import { utf16Encoding } from '../../lib/encoding/utf8.ts';
import { detectCodeLanguage } from '../readers/code.ts';
import type { PageKind, RawPage } from '../reading/page.ts';
import kinds from './content-kinds.json' with { type: 'json' };
import { toUrl } from './page-url.ts';
import UNSUPPORTED from './unsupported-formats.json' with { type: 'json' };

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

/** Kinds by content type, or by the end of a name if the type says nothing. JSON is between the two lists. */
const [NAMED_KINDS, LATER_KINDS] = [kinds.first, kinds.afterJson].map((rows) =>
  (rows as readonly { type: string; name?: string; kind: string }[]).map(({ type, name, kind }) => ({
    type: new RegExp(type),
    name: name === undefined ? undefined : new RegExp(name),
    kind: kind as PageKind,
  })),
);

function byHeader(head: string, type: string, url: string, body: Uint8Array): PageKind {
  const path = toUrl(url).pathname.toLowerCase();
  const plain = /^(|text\/plain|(application|binary)\/octet-stream|application\/x-download)$/.test(type);
  const named = (rows: typeof NAMED_KINDS) =>
    rows?.find((one) => one.type.test(type) || (plain && one.name?.test(path)))?.kind;
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

function describeUnsupportedFormat(head: string): string | undefined {
  const found = UNSUPPORTED.find(({ at, bytes }) => head.startsWith(bytes, at));
  // A text may begin with the letters of a signature, so printable signatures count only in binary files.
  if (!found || (/^[ -~]+$/.test(found.bytes) && !isBinary(head))) return undefined;
  return found.name;
}

/** True if the bytes are not text. A few control characters are tolerated, and ESC is valid in ISO-2022. */
export function isBinary(head: string): boolean {
  const controls = head.match(/(?![\t\n\f\r\u007f-\u009f])\p{Cc}/gu) ?? [];
  const strange = controls.filter((character) => character !== '\u001b').length;
  return head.includes('\0') || strange > head.length / 50;
}

const OLE_SIGNATURE = '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1';

const OLE_STREAMS = Object.entries(kinds.oleStreams);

export function isOle(body: Uint8Array): boolean {
  return Buffer.from(body.subarray(0, OLE_SIGNATURE.length)).toString('latin1') === OLE_SIGNATURE;
}

/** True for a file in Outlook's format TNEF. Outlook sends such files as `winmail.dat`. */
export function isWinmail(body: Uint8Array): boolean {
  return body[0] === 0x78 && body[1] === 0x9f && body[2] === 0x3e && body[3] === 0x22;
}

function isOutlookMessage(body: Uint8Array): boolean {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.length);
  return bytes.includes(Buffer.from('__properties_version1.0', 'utf16le'));
}

export function unsupportedOleError(url: string, body: Uint8Array): AppError {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.length);
  const [, what = 'an old Office document; save it in a newer format or as PDF'] =
    OLE_STREAMS.find(([name]) => bytes.includes(Buffer.from(name, 'utf16le'))) ?? [];
  return new AppError('unsupported', `${url} is ${what}`);
}
