import { AppError } from '../errors.ts';
import { charsetOf } from './charset.ts';
import { hasControls, OLE, oleError, unreadFormat } from './magic.ts';
import { addressOf } from './name.ts';
import type { Page, RawPage } from './page.ts';
import { languageOf } from './readers/code.ts';

type Kind = Page['kind'];

/** Characters that are looked at. */
const HEAD = 1024;
const BOMS = ['\xef\xbb\xbf', '\xff\xfe', '\xfe\xff'];

/** The labels of UTF-16. */
const WIDE = /^(utf-16([lb]e)?|ucs-2|(cs)?unicode(feff|fffe)?|iso-10646-ucs-2)$/i;

/** What the bytes are; the header decides only where the bytes can be several things. Throws `unsupported`. */
export async function kindOf({ url, contentType, body }: RawPage): Promise<Kind> {
  const head = Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, HEAD)).toString('latin1');
  const type = contentType.toLowerCase().split(';')[0]?.trim() ?? '';
  if (/^\s*%PDF-/.test(head) || (type === 'application/pdf' && head.includes('%PDF-'))) return 'pdf';
  if (head.startsWith('PK\x03\x04')) return (await import('./readers/archive.ts')).kindOfArchive(body, url);
  if (head.startsWith(OLE)) throw oleError(url, body);
  const wide = BOMS.some((bom) => head.startsWith(bom)) || WIDE.test(charsetOf(contentType) ?? '');
  const unread = wide ? undefined : unreadFormat(head);
  if (unread || (!wide && hasControls(head))) throw unsupported(url, unread ?? named(type));
  const text = head
    .replace(/\0/g, '')
    .replace(/^[\xef\xbb\xbf\xff\xfe]+/, '')
    .trimStart();
  return byMarkup(withoutComments(text).toLowerCase(), type) ?? byHeader(text, type, url, body);
}

/** HTML, XML and feeds say what they are, and servers call them all sorts of things. */
function byMarkup(text: string, type: string): Kind | undefined {
  if (/^<(!doctype html|html|head|body)\b/.test(text)) return 'html';
  if (!/^<\?xml|^<(rss|feed|rdf:rdf)\b/.test(text)) return undefined;
  if (/<(rss|feed|rdf:rdf)[\s>]/.test(text)) return 'feed';
  return /<html[\s>]/.test(text) || type === 'application/xhtml+xml' ? 'html' : 'xml';
}

function byHeader(head: string, type: string, url: string, body: Uint8Array): Kind {
  const path = addressOf(url).pathname.toLowerCase();
  const plain = /^(|text\/plain|(application|binary)\/octet-stream|application\/x-download)$/.test(type);
  if (head.startsWith('{\\rtf')) return 'rtf';
  if (type === 'text/html' || type === 'application/xhtml+xml') return 'html';
  if (type === 'message/rfc822' || (plain && /\.(eml|mht|mhtml)$/.test(path))) return 'email';
  if (type === 'application/mbox' || (plain && path.endsWith('.mbox'))) return 'mbox';
  if (/^text\/(x-)?markdown$/.test(type) || (plain && /\.(md|markdown|mdx)$/.test(path))) return 'markdown';
  if (/[/+]json$|ndjson$/.test(type) || (plain && isJson(head, path))) return jsonKind(head, body);
  if (/^text\/(csv|tab-separated-values)$/.test(type) || (plain && /\.(csv|tsv)$/.test(path))) return 'csv';
  if (/[/+](rss|atom)(\+xml)?$/.test(type)) return 'feed';
  if (/[/+]xml$/.test(type) || (plain && /^<\?xml/.test(head))) return 'xml';
  if (plain && isMail(head)) return /^From /.test(head) ? 'mbox' : 'email';
  if (languageOf(type, plain ? path : '') !== undefined) return 'code';
  if (type === '' && /^<[a-z!]/i.test(head) && !/\.txt$/.test(path)) return 'html';
  if (/^(image|audio|video|font)\//.test(type)) throw unsupported(url, named(type));
  return 'text';
}

function isJson(head: string, path: string): boolean {
  return /^[[{]/.test(head) && /\.(json|geojson|jsonl|ndjson|ipynb|webmanifest)$/.test(path);
}

/** A notebook names its format, often in its last lines; a feed in its first. */
function jsonKind(head: string, body: Uint8Array): Kind {
  if (/"https?:\\?\/\\?\/jsonfeed\.org\\?\/version\\?\//.test(head)) return 'feed';
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.length);
  return bytes.includes('"nbformat"') && bytes.includes('"cells"') ? 'notebook' : 'json';
}

/** A message begins with lines of headers, of which several are always there. */
function isMail(head: string): boolean {
  const [block = ''] = head.replace(/^From [^\n]*\n/, '').split(/\r?\n\r?\n/, 1);
  const has = (name: string) => new RegExp(`^${name}:`, 'im').test(block);
  return (
    /^[A-Za-z-]+:/.test(block) &&
    has('from') &&
    has('date') &&
    ['message-id', 'mime-version', 'received'].some(has)
  );
}

/** The text from its first sign that is in no comment. */
function withoutComments(text: string): string {
  let rest = text;
  while (rest.startsWith('<!--')) {
    const end = rest.indexOf('-->');
    if (end < 0) return '';
    rest = rest.slice(end + 3).trimStart();
  }
  return rest;
}

function named(type: string): string {
  return type ? `of the type ${type}` : 'of no type that is known';
}

function unsupported(url: string, what: string): AppError {
  return new AppError(
    'unsupported',
    `${url} is ${what}; pages, PDF, Office documents, EPUB, mail, feeds and text are read`,
  );
}
