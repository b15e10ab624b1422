import { getBOMEncoding, labelToName } from '@exodus/bytes/encoding-lite.js';
import sniff from 'html-encoding-sniffer';
import { parseCharset } from './charset-label.ts';
import codePages from './code-pages.json' with { type: 'json' };

/** Where a document may declare its encoding: `<meta>` in HTML, the XML declaration in XML. */
export type DeclarationFormat = 'html' | 'xml' | 'nothing';
/** Number of bytes in which browsers search for `<meta>` before they parse a page (HTML standard). */
const PRESCAN_BYTES = 1024;
const SCANNED_BYTES = 1_000_000;
const MAX_METAS = 200;
const UNDECLARED = 'none';
const SERVER_DEFAULT = 'windows-1252';
const MULTI_BYTE = /^(?:shift_jis|euc-|gb|big5|iso-2022-jp)/i;

export function detectBomEncoding(bytes: Uint8Array): string | undefined {
  return getBOMEncoding(bytes) ?? undefined;
}

/** Returns declared encodings in browsers' order of preference. Forbidden encodings become `replacement`. */
export function declaredEncodings(
  bytes: Uint8Array,
  contentType: string,
  format: DeclarationFormat,
): string[] {
  const named = nameOfLabel(parseCharset(contentType) ?? UNDECLARED);
  const own = format === 'nothing' ? undefined : ownEncoding(bytes, format);
  // Many servers send windows-1252 by default, so a multi-byte encoding that the page declares is preferred.
  const isDefault = named === SERVER_DEFAULT && own !== undefined && MULTI_BYTE.test(own);
  return [...new Set(isDefault ? [own, named] : [named, own])].flatMap((name) =>
    name ? [name.toLowerCase()] : [],
  );
}

const CODE_PAGES: Readonly<Record<string, string>> = codePages;
/** Offset of the code page numbers of ISO 8859: for example, 28591 is ISO 8859-1. */
const ISO_8859_PAGES = 28590;
/** Labels of ASCII, ignored because the standard reads them as windows-1252, which is often wrong. */
const ASCII_LABEL = /^(?:us-?)?ascii$|^ansi_x3\.4-19\d\d$/i;

function nameOfLabel(label: string): string | null {
  if (ASCII_LABEL.test(label)) return null;
  const page = /^(?:x-)?(?:cp|ms|win|windows|ibm)[-_]?(\d{3,5})$/i.exec(label)?.[1] ?? '';
  const others = [
    `windows-${page}`,
    `iso-8859-${Number(page) - ISO_8859_PAGES}`,
    label.replace(/^x-|_/gi, ''),
  ];
  return labelToName(label) ?? CODE_PAGES[page] ?? others.map(labelToName).find(Boolean) ?? null;
}

function ownEncoding(bytes: Uint8Array, format: 'html' | 'xml'): string | undefined {
  // Some programs write blank lines before the XML declaration.
  const start = format === 'xml' ? bytes.findIndex((byte) => byte === 0 || byte > 0x20) : 0;
  const found = sniff(bytes.subarray(start), { xml: format === 'xml', defaultEncoding: UNDECLARED });
  if (found !== UNDECLARED) return found;
  return format === 'html' && bytes.length > PRESCAN_BYTES ? lateMeta(bytes) : undefined;
}

/** Elements whose content is text, so that `<meta` in them is not an element. */
const TEXT_ELEMENTS = ['script', 'style', 'title', 'textarea', 'xmp', 'iframe', 'noembed', 'noframes'];
const TEXT_ELEMENT = new RegExp(`<!--|<(meta|${TEXT_ELEMENTS.join('|')})(?=[\\s/>])`, 'gi');

/** Searches the first megabyte for a `<meta>` with an encoding, because it need not be near the start. */
function lateMeta(bytes: Uint8Array): string | undefined {
  const length = Math.min(bytes.length, SCANNED_BYTES);
  const html = Buffer.from(bytes.buffer, bytes.byteOffset, length).toString('latin1');
  const lower = html.toLowerCase();
  TEXT_ELEMENT.lastIndex = 0;
  let metas = 0;
  for (let found = TEXT_ELEMENT.exec(html); found && metas < MAX_METAS; found = TEXT_ELEMENT.exec(html)) {
    const name = found[1]?.toLowerCase();
    if (name === 'meta') {
      metas++;
      const element = bytes.subarray(found.index, found.index + PRESCAN_BYTES);
      const end = element.indexOf(GREATER_THAN);
      const encoding =
        end < 0 ? UNDECLARED : sniff(element.subarray(0, end + 1), { defaultEncoding: UNDECLARED });
      if (encoding !== UNDECLARED) return encoding;
      continue;
    }
    const closing = name === undefined ? '-->' : `</${name}`;
    const end = lower.indexOf(closing, found.index + (name === undefined ? '<!--'.length - 2 : 1));
    if (end < 0) return undefined;
    TEXT_ELEMENT.lastIndex = end + closing.length;
  }
  return undefined;
}

const GREATER_THAN = 0x3e;
