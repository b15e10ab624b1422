/** A word of up to 6 letters counts as one token. Each 3 further letters count as one more. */
const WORD_LETTERS = 6;
const TOKEN_LETTERS = 3;
/** This number of white-space characters counts as one token, so that long runs of blanks are split too. */
const TOKEN_SPACES = 64;
const STEP_CHARS = 1024;

/** Estimates the WordPiece tokens of an English text, usually a few too many. The result is not rounded. */
export function estimateTokens(text: string, most = Infinity): number {
  const count = { tokens: 0, letters: 0, digits: 0, spaces: 0 };
  for (let at = 0; at < text.length; at += STEP_CHARS) {
    countIn(text, at, Math.min(text.length, at + STEP_CHARS), count);
    const { tokens, letters, digits, spaces } = count;
    const least = tokens + (letters - WORD_LETTERS) / TOKEN_LETTERS + digits / 2 + spaces / TOKEN_SPACES;
    if (least > most) return least;
  }
  endRuns(count, 'sign');
  return count.tokens + count.spaces / TOKEN_SPACES;
}

interface Count {
  tokens: number;
  letters: number;
  digits: number;
  spaces: number;
}

function countIn(text: string, start: number, end: number, count: Count): void {
  for (let at = start; at < end; at++) {
    const kind = kindOf(text.charCodeAt(at));
    endRuns(count, kind);
    if (kind === 'letter') count.letters++;
    else if (kind === 'digit') count.digits++;
    else if (kind === 'space') count.spaces++;
    else count.tokens++;
  }
}

function endRuns(count: Count, kind: CharKind): void {
  const { letters, digits } = count;
  if (kind !== 'letter' && letters > 0) {
    count.tokens += letters <= WORD_LETTERS ? 1 : 1 + Math.ceil((letters - WORD_LETTERS) / TOKEN_LETTERS);
    count.letters = 0;
  }
  if (kind !== 'digit' && digits > 0) {
    count.tokens += Math.ceil(digits / 2);
    count.digits = 0;
  }
}

type CharKind = 'letter' | 'digit' | 'space' | 'sign';

function kindOf(code: number): CharKind {
  if ((code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 0xc0 && code < 0x250))
    return 'letter';
  if (code >= 48 && code <= 57) return 'digit';
  return code === 32 || (code >= 9 && code <= 13) || code === 0xa0 ? 'space' : 'sign';
}
