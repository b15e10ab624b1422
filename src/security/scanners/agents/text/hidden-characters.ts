import { createLineIndex, type LineIndex } from '../../../trees/lines.ts';
import type { AgentMatch } from '../rules.ts';

/** Matches Unicode tag characters, an invisible copy of ASCII, except in flag emojis such as Scotland's. */
const TAGS = /(?<!\u{1F3F4}[\u{E0020}-\u{E007F}]{0,10})[\u{E0001}-\u{E007F}]{3,4000}/gu;
/** Matches rows of variation selectors, which can hide bytes. A single selector is normal after an emoji. */
const SELECTORS = /[\u{FE00}-\u{FE0F}\u{E0100}-\u{E01EF}]{3,4000}/gu;
const ZERO_WIDTH = /[\p{Cf}\u115F\u1160\u3164\uFFA0]{8,4000}/gu;
/** Matches invisible characters between Latin letters, where no language needs such characters. */
const SPLIT_WORD = /(?<=[A-Za-z])(?:[\u200B\u200C\u2060-\u2064\uFEFF]|\u200D)(?=[A-Za-z])/g;
const REORDERED = /[\u202D\u202E]|[\u202A\u202B\u2066-\u2068](?=[^\n]{0,300}[;{}=()])/g;
/** Matches a Latin word with a Cyrillic or Greek letter that looks like a Latin letter. */
const MIXED_WORD =
  /(?<![\p{L}])[A-Za-z]{0,30}(?:[A-Za-z][аеорсухіѕјԁһӏԛԝАВЕКМНОРСТУХІЅЈοναιρυΑΒΕΖΗΙΚΜΝΟΡΤΥΧ]|[аеорсухіѕјԁһӏԛԝАВЕКМНОРСТУХІЅЈοΑΒΕΖΗΙΚΜΝΟΡΤΥΧ][A-Za-z])[A-Za-zаеорсухіѕјԁһӏԛԝοναιρυ]{1,30}(?![\p{L}])/gu;
const MIN_MIXED_LETTERS = 4;
const MAX_SPLITS_SHOWN = 3;
const MAX_FOUND = 20;

export function hiddenCharacterMatches(text: string): AgentMatch[] {
  // Most texts are plain ASCII. This test is faster than the searches below.
  if (!/[^\n\r\t -~]/.test(text)) return [];
  const lines = createLineIndex(text);
  const found: AgentMatch[] = [];
  const add = (pattern: RegExp, rule: AgentMatch['rule'], say: (hit: string) => string | undefined) => {
    for (const match of text.matchAll(pattern)) {
      if (found.length >= MAX_FOUND) return;
      const what = say(match[0]);
      if (what !== undefined) found.push({ rule, line: lines.lineAt(match.index), what });
    }
  };
  add(
    TAGS,
    'hidden-text',
    (hit) => `tag characters: ${printable([...hit].map((one) => (one.codePointAt(0) ?? 0) - 0xe0000))}`,
  );
  add(SELECTORS, 'hidden-text', (hit) => `variation selectors: ${printable([...hit].map(byteOfSelector))}`);
  add(ZERO_WIDTH, 'hidden-text', (hit) => `${hit.length} characters without width`);
  found.push(...splitWordMatches(text, lines));
  add(REORDERED, 'reordered-text', () => 'a control character of writing direction');
  add(MIXED_WORD, 'look-alike-letters', (hit) =>
    hit.replace(/[^A-Za-z]/g, '').length >= MIN_MIXED_LETTERS - 1 ? hit : undefined,
  );
  return found;
}

function splitWordMatches(text: string, lines: LineIndex): AgentMatch[] {
  const places = [...text.matchAll(SPLIT_WORD)].map(({ index }) => index);
  if (places.length < MAX_SPLITS_SHOWN) return [];
  return [
    {
      rule: 'hidden-text',
      line: lines.lineAt(places[0] ?? 0),
      what: `characters without width inside ${places.length} words`,
    },
  ];
}

function byteOfSelector(one: string): number {
  const code = one.codePointAt(0) ?? 0;
  return code >= 0xe0100 ? code - 0xe0100 + 16 : code - 0xfe00;
}

function printable(codes: readonly number[]): string {
  const text = codes.map((code) => (code >= 32 && code < 127 ? String.fromCharCode(code) : '')).join('');
  return text === '' ? `${codes.length} characters` : `"${text.slice(0, 100)}"`;
}
