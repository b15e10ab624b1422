import { AppError } from '../../errors.ts';
import { parseCharset } from '../../lib/encoding/charset-label.ts';
import type { DeclarationFormat } from '../../lib/encoding/declared-encoding.ts';
import { describeGuess } from '../../lib/encoding/describe-guess.ts';
import type { RawPage } from '../reading/page.ts';

/** Throws AppError `unsupported` for encodings that the Encoding Standard forbids, such as ISO-2022-KR. */
export async function decodePage(
  { url, body, contentType }: RawPage,
  declares: DeclarationFormat,
): Promise<{
  readonly text: string;
  /** Message that the encoding was guessed. Undefined if the encoding is certain. */
  readonly note: string | undefined;
}> {
  const { decodeBytes } = await import('../../lib/encoding/decode-bytes.ts');
  const { text, encoding, isGuess } = decodeBytes(body, { url, contentType, declares });
  if (encoding === 'replacement') {
    const named = parseCharset(contentType) ?? 'it declares';
    throw new AppError(
      'unsupported',
      `${url} is in the encoding ${named}, which is unsafe to read, and browsers don't show it either`,
    );
  }
  return { text, note: isGuess ? describeGuess(encoding) : undefined };
}
