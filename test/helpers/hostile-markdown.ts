/** Texts that bring a careless algorithm to its knees, up to a quarter of a megabyte each. */
export const HOSTILE: Readonly<Record<string, string>> = {
  'one endless word': 'a'.repeat(250_000),
  'one endless line': 'word '.repeat(50_000),
  '25,000 headings': '# x\n'.repeat(25_000),
  '7,500 headings, ever deeper': Array.from(
    { length: 7_500 },
    (_, i) => `${'#'.repeat(1 + (i % 6))} h${i}`,
  ).join('\n'),
  'headings with text': '# tide mill\n\nwater\n\n'.repeat(5_000),
  'endless spaces': ' '.repeat(250_000),
  'brackets that open': '['.repeat(250_000),
  'links that do not end': '[a]('.repeat(62_500),
  'quotes in quotes': `${'>'.repeat(500)}\n`.repeat(500),
  'fences that do not end': '```\n'.repeat(12_501),
  'math that does not end': '$$ x\n'.repeat(12_500),
  'items, ever deeper': Array.from({ length: 700 }, (_, i) => `${' '.repeat(i)}- i`).join('\n'),
  pipes: '|'.repeat(250_000),
  'a table of 25,000 rows': `| a | b |\n| - | - |\n${'| 1 | 2 |\n'.repeat(25_000)}`,
  'a row of 75,000 cells': `${'| a '.repeat(75_000)}|\n${'| - '.repeat(75_000)}|`,
  stars: '*'.repeat(250_000),
  numbers: '1'.repeat(250_000),
  initials: 'B. '.repeat(75_000),
  'lone surrogates': '\ud800'.repeat(125_000),
  'Han without a break': '東'.repeat(75_000),
  capitals: 'Aa, '.repeat(62_500),
  notes: '[^1]: a\n'.repeat(10_000),
  underlines: 'a\n---\n'.repeat(10_000),
  colons: 'a:\n\n- b\n\n'.repeat(7_500),
};

/** Seconds of processor time in which such a text is worked on: some tenths are enough, and work that is not linear takes many. */
export const HOSTILE_SECONDS = 3;
