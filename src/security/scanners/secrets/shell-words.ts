/** A word of a command; `end` is where its value ends in the text, in UTF-16 units, without a closing quote. */
export interface ShellWord {
  readonly value: string;
  readonly end: number;
}

/** Characters of a command that are read, and words. */
const MAX_COMMAND_CHARACTERS = 2000;
const MAX_WORDS = 100;

/**
 * The words of a command from `from` up to the end of its line, or to what ends it (`|`, `;`, `&`, a bracket). A backslash before the end
 * of a line continues it. Words with quotes in the middle are given without them, as long as the value's last part stands in one piece.
 */
export function shellWordsAt(text: string, from: number): ShellWord[] {
  const words: ShellWord[] = [];
  const last = Math.min(text.length, from + MAX_COMMAND_CHARACTERS);
  for (let at = from; at < last && words.length < MAX_WORDS; ) {
    const sign = text[at] ?? '';
    if (sign === ' ' || sign === '\t') at++;
    else if (sign === '\\' && /^\\\r?\n/.test(text.slice(at, at + 3))) at += text[at + 1] === '\r' ? 3 : 2;
    else if (/[\r\n|;&()<>#]/.test(sign)) return words;
    else {
      const word = wordAt(text, at, last);
      if (!word) return words;
      words.push({ value: word.value, end: word.end });
      at = word.next;
    }
  }
  return words;
}

function wordAt(text: string, from: number, last: number): (ShellWord & { next: number }) | undefined {
  let [value, at, end] = ['', from, from];
  while (at < last) {
    const sign = text[at] ?? '';
    if (/[\s|;&()<>]/.test(sign)) break;
    if (sign === '"' || sign === "'") {
      const close = text.indexOf(sign, at + 1);
      // A quote that opened before the command closes with it: "run(`curl -u a:b`)".
      if (close < 0 || close >= last || text.slice(at, close).includes('\n')) break;
      value += text.slice(at + 1, close);
      [at, end] = [close + 1, close];
    } else if (sign === '`' || (sign === '\\' && /\s/.test(text[at + 1] ?? ' '))) break;
    else {
      value += sign;
      end = ++at;
    }
  }
  return at === from ? undefined : { value, end, next: at };
}
