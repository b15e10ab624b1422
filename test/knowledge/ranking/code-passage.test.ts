import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isCodePassage } from '../../../src/knowledge/ranking/code-passage.ts';

const CODE = {
  Python:
    'def mean(values):\n    """Return the mean.\n\n    Empty lists have none.\n    """\n    return sum(values) / len(values)',
  JavaScript:
    'export function mean(values) {\n  const sum = values.reduce((a, b) => a + b, 0);\n  return sum / values.length;\n}',
  Go: 'func Mean(values []float64) float64 {\n\tsum := 0.0\n\tfor _, v := range values {\n\t\tsum += v\n\t}\n\treturn sum / n\n}',
  SQL: 'SELECT name, avg(price)\nFROM items\nWHERE sold = 1\nGROUP BY name\nHAVING avg(price) > 3;\nCOMMIT;',
  shell: 'set -e\nfor file in *.log; do\n  gzip "$file";\ndone\nTOTAL = $(ls | wc -l)',
};
const OTHER = {
  prose: 'The mean of a list is its sum divided by its length.\nAn empty list has none (see above).',
  list: '- who may do what;\n- what is absent;\n- what a field means.\n* call(it)',
  table: '| name | price |\n| --- | --- |\n| tea | 3 |',
  talk: '[8 May 2023] Anna: I wrote a function today!\n[8 May 2023] Ben: What does it return?',
  poem: 'if you want to go to the town\nwith a basket of apples\nfor a day by the sea\nwhile the others are asleep',
  recipe: 'for the dough\n200 g flour\nfor the filling\nwith herbs',
  formula: 'E = mc2\nF = ma\nTotal = 5 EUR',
  citation: 'Dee(2021)\nWard(2019)\nLake(2020)',
  letter: 'Dear Ms Ward:\nthe key is with Ben; he returns on Friday.\nYours,\nAnna',
};

describe('a passage of program code', () => {
  it.each(Object.entries(CODE))('is recognised in %s', (_, text) => {
    expect(isCodePassage(text)).toBe(true);
    expect(isCodePassage(`It is done so:\n\n\`\`\`\n${text}\n\`\`\``)).toBe(true);
  });

  it.each(Object.entries(OTHER))('is not seen in a %s', (_, text) => {
    expect(isCodePassage(text)).toBe(false);
  });

  it('is never seen in whole sentences, however many stand together', () => {
    const word = fc.stringMatching(/^[a-zäöü]{1,12}$/);
    const sentence = fc.array(word, { minLength: 3, maxLength: 12 }).map((words) => `${words.join(' ')}.`);
    fc.assert(
      fc.property(fc.array(sentence, { minLength: 1, maxLength: 20 }), (sentences) => {
        expect(isCodePassage(sentences.join('\n'))).toBe(false);
      }),
    );
  });
});
