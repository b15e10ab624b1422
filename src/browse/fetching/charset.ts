import { AppError } from '../../errors.ts';
import type { RawPage } from '../reading/page.ts';

/** Format in which a text may declare its own encoding: HTML by `<meta>`, XML by its declaration. */
export type DeclarationFormat = 'html' | 'xml' | 'nothing';

/** Encoding that servers often name by default. It is ignored if the bytes are valid UTF-8. */
const DEFAULT_LABEL = 'windows-1252';

/**
 * Decodes by the Encoding Standard: byte order mark, header, the page's own declaration, valid UTF-8, else windows-1252. Ignores
 * unknown labels. Throws AppError `unsupported` for encodings that the standard forbids, such as ISO-2022-KR.
 */
export async function decodeText(
  { url, body, contentType }: RawPage,
  declares: DeclarationFormat,
): Promise<string> {
  const [{ default: sniff }, { labelToName, getBOMEncoding, TextDecoder: Decoder }] = await Promise.all([
    import('html-encoding-sniffer'),
    // Imports a decoder, because Node's TextDecoder lacks characters that the standard added to EUC-KR, Big5 and Shift_JIS.
    import('@exodus/bytes/encoding.js'),
  ]);
  const marked = getBOMEncoding(body);
  const header = parseCharset(contentType);
  const named = header === undefined ? null : labelToName(header);
  let encoding = marked ?? named;
  if (!encoding && declares !== 'nothing') {
    const declared = sniff(body, { xml: declares === 'xml', defaultEncoding: UNDECLARED });
    encoding = declared === UNDECLARED ? null : declared;
  }
  if (!encoding || (!marked && encoding === DEFAULT_LABEL)) encoding = isUtf8(body) ? 'utf-8' : DEFAULT_LABEL;
  if (encoding === 'replacement') {
    throw new AppError(
      'unsupported',
      `${url} is in the encoding ${header ?? 'it declares'}, which is unsafe to read, and browsers don't show it either`,
    );
  }
  return new Decoder(encoding).decode(body);
}

const UNDECLARED = 'none';

export function parseCharset(contentType: string): string | undefined {
  return /;\s{0,20}charset\s{0,20}=\s{0,20}["']?\s{0,20}([^\s;"']+)/i.exec(contentType)?.[1];
}

function isUtf8(body: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(body);
    return true;
  } catch {
    return false;
  }
}
