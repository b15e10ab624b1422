/** Finds characters that only Chinese (GB 2312, Big5) or only Japanese (JIS X 0208) uses. */

interface Sets {
  readonly chinese: ReadonlySet<string>;
  readonly japanese: ReadonlySet<string>;
}

let known: Sets | undefined;

export function hasJapaneseCharacter(text: string): boolean {
  return has(text, 'japanese');
}

/** True if the text has a character that Japanese does not use: 吗, 环. */
export function hasChineseCharacter(text: string): boolean {
  return has(text, 'chinese');
}

function has(text: string, language: keyof Sets): boolean {
  if (!/\p{Script=Han}/u.test(text)) return false;
  known ??= readSets();
  const own = known[language];
  for (const character of text) if (own.has(character)) return true;
  return false;
}

const LEADS = { 'euc-jp': [0xb0, 0xf4], gbk: [0xb0, 0xf7], big5: [0xa4, 0xf9] } as const;
const TRAILS: readonly (readonly [number, number])[] = [
  [0x40, 0x7e],
  [0xa1, 0xfe],
];

function readSets(): Sets {
  const jis = charactersOf('euc-jp');
  const china = new Set([...charactersOf('gbk'), ...charactersOf('big5')]);
  return { chinese: without(china, jis), japanese: without(jis, china) };
}

function without(all: ReadonlySet<string>, others: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...all].filter((character) => !others.has(character)));
}

function charactersOf(charset: keyof typeof LEADS): Set<string> {
  const [first, last] = LEADS[charset];
  const bytes: number[] = [];
  for (let lead = first; lead <= last; lead++) {
    for (const [from, to] of TRAILS) {
      // GB 2312 lacks the characters with a second byte below 0xA1.
      if (from < 0xa1 && charset !== 'big5') continue;
      for (let trail = from; trail <= to; trail++) bytes.push(lead, trail);
    }
  }
  const text = new TextDecoder(charset).decode(new Uint8Array(bytes));
  return new Set(text.match(/\p{Script=Han}/gu) ?? []);
}
