import { AppError } from '../errors.ts';
import type { Page, RawPage } from './page.ts';

/** Binary formats by their first bytes, for saying what a page is that is not read. */
const BINARIES: readonly (readonly [string, string])[] = [
  ['PK\x03\x04', 'a ZIP archive or Office document'],
  ['\x89PNG', 'a PNG picture'],
  ['\xff\xd8\xff', 'a JPEG picture'],
  ['GIF8', 'a GIF picture'],
  ['RIFF', 'a RIFF file (picture, sound or film)'],
  ['\x1f\x8b', 'a gzip archive'],
  ['\x7fELF', 'a program'],
  ['MZ', 'a program'],
  ['OggS', 'an Ogg sound or film'],
  ['ID3', 'an MP3 sound'],
  ['\x00asm', 'a WebAssembly program'],
  ['\xd0\xcf\x11\xe0', 'an old Office document'],
];
const BOMS = ['\xef\xbb\xbf', '\xff\xfe', '\xfe\xff'];

/** What the bytes are; the header decides only where the bytes can be several things. Throws `unsupported`. */
export function kindOf({ url, contentType, body }: RawPage): Page['kind'] {
  const head = Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, 1024)).toString('latin1');
  if (head.slice(0, 1024).includes('%PDF-')) return 'pdf';
  const type = contentType.toLowerCase().split(';')[0]?.trim() ?? '';
  const binary = BINARIES.find(([magic]) => head.startsWith(magic));
  const wide = BOMS.some((bom) => head.startsWith(bom)) || /charset="?utf-(16|32)/i.test(contentType);
  if (binary || (!wide && hasControls(head))) throw unsupported(url, binary?.[1] ?? named(type));
  const text = head
    .replace(/\0/g, '')
    .replace(/^[\xef\xbb\xbf\xff\xfe]+/, '')
    .trimStart()
    .toLowerCase();
  if (/^(<!--[\s\S]*?-->\s*)*<(!doctype html|html|head|body)\b/.test(text)) return 'html';
  if (/^<\?xml|^<(rss|feed|rdf:rdf)\b/.test(text)) {
    if (/<(rss|feed|rdf:rdf)[\s>]/.test(text)) return 'feed';
    return /<html[\s>]/.test(text) || type === 'application/xhtml+xml' ? 'html' : 'xml';
  }
  return byType(type, new URL(url).pathname.toLowerCase(), text, url);
}

function byType(type: string, path: string, text: string, url: string): Page['kind'] {
  if (type === 'text/html' || type === 'application/xhtml+xml') return 'html';
  if (/^text\/(x-)?markdown$/.test(type) || (isPlain(type) && /\.(md|markdown)$/.test(path)))
    return 'markdown';
  if (/[/+]json$/.test(type)) return 'json';
  if (type === 'text/csv' || (isPlain(type) && path.endsWith('.csv'))) return 'csv';
  if (/[/+](rss|atom)(\+xml)?$/.test(type)) return 'feed';
  if (/[/+]xml$/.test(type)) return 'xml';
  if (type === '' && /^<[a-z!]/.test(text)) return 'html';
  if (isPlain(type) && /^[[{]/.test(text) && path.endsWith('.json')) return 'json';
  if (
    isPlain(type) ||
    type.startsWith('text/') ||
    /(javascript|ecmascript|yaml|toml|x-sh|sql|graphql)$/.test(type)
  ) {
    return 'text';
  }
  throw unsupported(url, named(type));
}

function isPlain(type: string): boolean {
  return (
    type === '' ||
    type === 'text/plain' ||
    type === 'application/octet-stream' ||
    type === 'binary/octet-stream'
  );
}

/** Whether the bytes are no text. A stray control character is not enough, and ESC has its place in ISO-2022. */
function hasControls(head: string): boolean {
  const controls = head.match(/(?![\t\n\f\r\u007f-\u009f])\p{Cc}/gu) ?? [];
  const strange = controls.filter((character) => character !== '\u001b').length;
  return head.includes('\0') || strange > head.length / 50;
}

function named(type: string): string {
  return type ? `of the type ${type}` : 'of no type that is known';
}

function unsupported(url: string, what: string): AppError {
  return new AppError('unsupported', `${url} is ${what}; pages, PDF, feeds and text are read`);
}
