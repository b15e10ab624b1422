/** Letters of a word that are one token; every three more are another. */
const WORD_LETTERS = 6;
const TOKEN_LETTERS = 3;
/** White space has no token; so many characters of it count as one, so that a passage of blanks has an end. */
const TOKEN_SPACES = 64;

/** Characters after which an estimate may end early. */
const STEP_CHARS = 1024;

/**
 * Tokens of a text as a WordPiece vocabulary of English would count them, rather more than fewer: words by their
 * length, signs one by one, other scripts by the character. An exact count would wait for a worker. Not rounded,
 * so that the parts of a text never have fewer than the whole. A text over `most` is counted until that shows, and not to
 * its end.
 */
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

/** What was counted so far; letters and digits are those of the run that may go on. */
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

/** Counts the runs that a character of this kind ends. */
function endRuns(count: Count, kind: Kind): void {
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

type Kind = 'letter' | 'digit' | 'space' | 'sign';

function kindOf(code: number): Kind {
  if ((code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 0xc0 && code < 0x250))
    return 'letter';
  if (code >= 48 && code <= 57) return 'digit';
  return code === 32 || (code >= 9 && code <= 13) || code === 0xa0 ? 'space' : 'sign';
}
