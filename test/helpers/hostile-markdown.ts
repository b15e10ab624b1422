/** Texts that bring a careless algorithm to its knees, up to an eighth of a megabyte each. */
export const HOSTILE: Readonly<Record<string, string>> = {
  'one endless word': 'a'.repeat(125_000),
  'one endless line': 'word '.repeat(25_000),
  '12,500 headings': '# x\n'.repeat(12_500),
  '3,750 headings, ever deeper': Array.from(
    { length: 3_750 },
    (_, i) => `${'#'.repeat(1 + (i % 6))} h${i}`,
  ).join('\n'),
  'headings with text': '# tide mill\n\nwater\n\n'.repeat(2_500),
  'endless spaces': ' '.repeat(125_000),
  'brackets that open': '['.repeat(125_000),
  'links that do not end': '[a]('.repeat(31_250),
  'quotes in quotes': `${'>'.repeat(350)}\n`.repeat(350),
  'fences that do not end': '```\n'.repeat(6_251),
  'math that does not end': '$$ x\n'.repeat(6_250),
  'items, ever deeper': Array.from({ length: 500 }, (_, i) => `${' '.repeat(i)}- i`).join('\n'),
  pipes: '|'.repeat(125_000),
  'a table of 12,500 rows': `| a | b |\n| - | - |\n${'| 1 | 2 |\n'.repeat(12_500)}`,
  'a row of 37,500 cells': `${'| a '.repeat(37_500)}|\n${'| - '.repeat(37_500)}|`,
  stars: '*'.repeat(125_000),
  numbers: '1'.repeat(125_000),
  initials: 'B. '.repeat(37_500),
  'lone surrogates': '\ud800'.repeat(62_500),
  'Han without a break': '東'.repeat(37_500),
  capitals: 'Aa, '.repeat(31_250),
  notes: '[^1]: a\n'.repeat(5_000),
  underlines: 'a\n---\n'.repeat(5_000),
  colons: 'a:\n\n- b\n\n'.repeat(3_750),
};

/** Seconds of processor time in which such a text is worked on: a tenth is enough, and work that is not linear takes several. */
export const HOSTILE_SECONDS = 1;
