/** Letters of a word that are one token; every three more are another. */
const WORD_LETTERS = 6;
const TOKEN_LETTERS = 3;
/** White space has no token; so many characters of it count as one, so that a passage of blanks has an end. */
const TOKEN_SPACES = 64;

/**
 * Tokens of a text as a WordPiece vocabulary of English would count them, rather more than fewer: words by their
 * length, signs one by one, other scripts by the character. An exact count would wait for a worker. Not rounded,
 * so that the parts of a text never have fewer than the whole.
 */
export function estimateTokens(text: string): number {
  let [tokens, letters, digits, spaces] = [0, 0, 0, 0];
  for (let at = 0; at <= text.length; at++) {
    const code = at < text.length ? text.charCodeAt(at) : 0;
    const kind = kindOf(code);
    if (kind !== 'letter' && letters > 0) {
      tokens += letters <= WORD_LETTERS ? 1 : 1 + Math.ceil((letters - WORD_LETTERS) / TOKEN_LETTERS);
      letters = 0;
    }
    if (kind !== 'digit' && digits > 0) {
      tokens += Math.ceil(digits / 2);
      digits = 0;
    }
    if (kind === 'letter') letters++;
    else if (kind === 'digit') digits++;
    else if (kind === 'space') spaces++;
    else if (at < text.length) tokens++;
  }
  return tokens + spaces / TOKEN_SPACES;
}

function kindOf(code: number): 'letter' | 'digit' | 'space' | 'sign' {
  if ((code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 0xc0 && code < 0x250))
    return 'letter';
  if (code >= 48 && code <= 57) return 'digit';
  return code === 32 || (code >= 9 && code <= 13) || code === 0xa0 ? 'space' : 'sign';
}
