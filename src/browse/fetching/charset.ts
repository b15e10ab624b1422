import { AppError } from '../../errors.ts';
import type { RawPage } from '../reading/page.ts';

/** What of a text may name its own encoding: HTML its `<meta>`, XML its declaration, other text nothing. */
export type Declares = 'html' | 'xml' | 'nothing';

/** Headers that say this are often a server's default, and wrong where the bytes are whole UTF-8. */
const DEFAULT_LABEL = 'windows-1252';

/**
 * A page's bytes as text, by the Encoding Standard: the byte order mark, the header, what the page itself
 * declares, and else UTF-8 where the bytes fit it and windows-1252 where they don't. Labels that are in no
 * list are passed over. AppError `unsupported` for the encodings that the standard shuts out
 * (ISO-2022-KR, HZ-GB-2312 and their like), which browsers don't show either.
 */
export async function decodeText({ url, body, contentType }: RawPage, declares: Declares): Promise<string> {
  const [{ default: sniff }, { labelToName, getBOMEncoding, TextDecoder: Decoder }] = await Promise.all([
    import('html-encoding-sniffer'),
    // Node's own decoder reads EUC-KR, Big5 and Shift_JIS without the characters that the standard added.
    import('@exodus/bytes/encoding.js'),
  ]);
  const marked = getBOMEncoding(body);
  const header = charsetOf(contentType);
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

/** The charset parameter of a content-type header, quotes taken off. */
export function charsetOf(contentType: string): string | undefined {
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
