import { expect, test } from 'vitest';
import questions from '../../bench/data/questions.json' with { type: 'json' };
import { holds } from '../../bench/reduce-data.ts';

test('the questions that reduction is measured by are many, spread over pages, and answered by short strings', () => {
  expect(questions.length).toBeGreaterThanOrEqual(100);
  const pages = Map.groupBy(questions, ({ page }) => page);
  expect(pages.size).toBeGreaterThanOrEqual(70);
  expect([...pages.values()].filter((asked) => asked.length > 6)).toEqual([]);
  for (const { page, question, answers } of questions) {
    expect(page).toMatch(/^[0-9a-f]{64}$/);
    expect(question).toMatch(/\p{L}/u);
    expect(answers.length).toBeGreaterThan(0);
    expect(answers.filter((answer) => answer.trim() === '' || answer.length > 80)).toEqual([]);
    // A question that holds its own answer measures nothing.
    expect(answers.filter((answer) => question.includes(answer))).toEqual([]);
  }
});

test('an answer is found whatever Markdown, quotes and dashes stand in it, and not in part', () => {
  const question = { page: '', question: '', answers: ["the boss' 5 \u2013 6 mills"] };
  expect(holds('To [the **boss\u2019**](https://x.example/) 5-6\n> mills go.', question)).toBe(true);
  expect(holds('the boss 5 mills', question)).toBe(false);
});
