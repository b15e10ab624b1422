import fc from 'fast-check';

/** Notes as people and programs write them: with rules, slides, front matter of all kinds of YAML, and several scripts. */

const WORDS = fc.constantFrom(
  ...[
    'quay',
    'Möwe',
    'лодка',
    'नाव',
    '小舟',
    'القارب',
    'σκάφος',
    '나룻배',
    'naïve',
    "O'Neil",
    'e.g.',
    'x_1',
    '⛵',
  ],
  ...[
    '1.10',
    '01234',
    '12345678901234567890',
    '0x1F',
    '2.50',
    '1e3',
    '1_000',
    '12:30',
    '2026-03-14',
    '03.04.2026',
  ],
  ...[
    '[[Crane]]',
    '[[Tall crane|crane]]',
    '#harbour',
    '`a: b`',
    '<b>raw</b>',
    '50 %',
    '$x^2$',
    '~',
    'no',
    'null',
    '-1.0',
  ],
);
const line = fc.array(WORDS, { minLength: 1, maxLength: 6 }).map((words) => words.join(' '));
const key = fc.constantFrom(
  'title',
  'tags',
  'tag',
  'aliases',
  'date',
  'created',
  'updated',
  'source',
  'url',
  'Person',
  'zip',
  'my key',
  'größe',
  'version',
  '2026',
  'Tags',
  'Title',
);
const quoted = line.map((text) => JSON.stringify(text));
const value = fc.oneof(
  line,
  quoted,
  line.map((text) => `'${text.replaceAll("'", "''")}'`),
  fc
    .array(WORDS, { maxLength: 4 })
    .map((words) => `[${words.map((word) => JSON.stringify(word)).join(', ')}]`),
  fc.array(WORDS, { maxLength: 4 }).map((words) => `[${words.join(', ')}]`),
  fc
    .array(line, { minLength: 1, maxLength: 3 })
    .map((items) => items.map((item) => `\n  - ${item}`).join('')),
  fc.array(line, { minLength: 1, maxLength: 3 }).map((items) => items.map((item) => `\n- ${item}`).join('')),
  fc
    .array(line, { minLength: 1, maxLength: 3 })
    .map((items) => `|\n${items.map((item) => `  ${item}`).join('\n')}`),
  fc
    .array(line, { minLength: 1, maxLength: 3 })
    .map((items) => `>-\n${items.map((item) => `  ${item}`).join('\n\n')}`),
  fc.tuple(line, line).map(([a, b]) => `\n  name: ${a}\n  more:\n    - deep: ${b}\n      x: 1.10`),
  fc.tuple(line, line).map(([a, b]) => `${a}  # ${b}`),
  fc.tuple(line, line).map(([a, b]) => `${a}: ${b}`),
  fc.constantFrom(
    '',
    '*ref',
    '&anchor word',
    '@at',
    '!!str 012',
    '{{template}}',
    '{a: 1.10, b: [x]}',
    '%',
    '"open',
    '\n\t- tabbed',
  ),
);
const field = fc
  .tuple(key, value)
  .map(([name, text]) => `${name}:${text.startsWith('\n') ? '' : ' '}${text}`);
const comment = line.map((text) => `# ${text}`);
const frontMatter = fc
  .tuple(
    fc.array(fc.oneof({ weight: 6, arbitrary: field }, comment), { maxLength: 7 }),
    fc.constantFrom('---', '...'),
  )
  .map(([fields, end]) => ['---', ...fields, end].join('\n'));
const block = fc.oneof(
  line,
  line.map((text) => `# ${text}`),
  fc.array(line, { minLength: 1, maxLength: 3 }).map((items) => items.map((item) => `- ${item}`).join('\n')),
  line.map((text) => `    indented ${text}`),
  line.map((text) => `\`\`\`yaml\n---\nkey: ${text}\n---\n\`\`\``),
  line.map((text) => `> ${text}`),
  fc.tuple(line, line).map(([a, b]) => `${a}: ${b}`),
  fc.tuple(line, line).map(([a, b]) => `tags:: ${a}, [[${b}]]`),
  fc.constantFrom('---', '***', '...', '- [x] tarred', '| a | 1.10 |\n| --- | --- |', ''),
);
const body = fc.array(block, { maxLength: 6 }).map((blocks) => blocks.join('\n\n'));

const note = fc
  .tuple(
    fc.oneof(
      { weight: 3, arbitrary: frontMatter },
      { weight: 1, arbitrary: fc.tuple(line, line).map(([a, b]) => `---\n${a}\n${b}\n---`) },
      { weight: 1, arbitrary: fc.constantFrom('---', '---\n\n# Slide\n\n---', '---\n- item\n---', '') },
    ),
    body,
    fc.constantFrom('\n', '\r\n'),
    fc.constantFrom('', '\uFEFF'),
  )
  .map(([front, text, newline, mark]) => mark + [front, text].join('\n').replaceAll('\n', newline));

/** Returns the same notes every time. Each has at least one word. */
export function sampleNotes(count: number): string[] {
  return fc.sample(
    note.filter((text) => /[\p{L}\p{N}]/u.test(text)),
    { seed: 20_260_314, numRuns: count },
  );
}

const WORD = /[\p{L}\p{M}\p{N}⛵]+/gu;

/** Returns the words and numbers of a given text that an entry lacks. Names of fields that are interpreted are no words. */
export function wordsMissing(
  given: string,
  entry: {
    readonly text: string;
    readonly title?: string;
    readonly tags?: readonly string[];
    readonly source?: string;
  },
): string[] {
  const kept = new Set([entry.text, entry.title, ...(entry.tags ?? []), entry.source].join('\n').match(WORD));
  return [...new Set(given.match(WORD))].filter(
    (word) => !kept.has(word) && !/^(?:title|tags?|aliases)$/i.test(word),
  );
}
