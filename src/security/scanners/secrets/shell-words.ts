/** A word of a shell command. `end` is the offset after `value` in UTF-16 units, before a closing quote. */
export interface ShellWord {
  readonly value: string;
  readonly end: number;
}

const MAX_COMMAND_CHARACTERS = 2000;
const MAX_WORDS = 100;

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
      // An unpaired quote belongs to the text around the command, as in "run(`curl -u a:b`)", and ends the command.
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
