import { afterAll, beforeAll, expect, test } from 'vitest';
import { environment, type Running, startMagpie, temporaryFolder } from '../helpers/magpie.ts';

/** Everyday facts and questions with the embedded model: each alone, and all beside a talk of 120 turns. */
const CASES: readonly (readonly [
  kind: string,
  notes: readonly string[],
  question: string,
  answer: string,
])[] = [
  ['update', ['My bank is Nordea.', 'My bank is Swedbank now.'], 'Which is my bank?', 'Swedbank'],
  ['back again', ['I live in Turku.', 'I live in Vaasa.', 'I live in Turku.'], 'Where do I live?', 'Turku'],
  [
    'changed',
    ['The shed code is 1182.', 'The shed code was changed to 6634.'],
    'What is the shed code?',
    '6634',
  ],
  ['negation', ['I am afraid of heights.', 'I am not afraid of spiders.'], 'What am I afraid of?', 'heights'],
  ['identifier', ['Ticket QR-5501 is open.', 'Ticket QR-5510 is closed.'], 'QR-5510', 'QR-5510'],
  ['code', ['const readSensorLimit = 4', 'let sensorCount = 9'], 'read sensor limit', 'readSensorLimit'],
  ['code', ['Our .NET build is green.', 'The fishing net is torn.'], '.NET build', '.NET'],
  [
    'named day',
    ['Ballet on 24 December at five.', 'Ballet on 2 March at five.'],
    'What is on Christmas Eve?',
    '24',
  ],
  ['number', ['The boat costs 7,400 crowns.', 'The boat is 7.4 m long.'], '7400', 'crowns'],
  ['accents', ['Lunch with Zoë Müller.', 'Lunch with Zara Mills.'], 'Zoe Muller', 'Müller'],
  [
    'two questions',
    ['Wifi i stugan: lösenord ripa-4471.', 'Båten läggs i sjön.'],
    'Vad är wifi-lösenordet i stugan, och var?',
    'ripa',
  ],
  ['synonym', ['The bicycle was stolen.', 'The bicycle is red.'], 'What did the thief take?', 'stolen'],
];

const folder = temporaryFolder();
let magpie: Running;
beforeAll(async () => {
  magpie = await startMagpie({ ...environment(folder.path) });
});
afterAll(async () => {
  await magpie.stop();
  folder.remove();
});

async function get(path: string, params: Readonly<Record<string, string>>) {
  const answer = await fetch(new URL(`${path}?${new URLSearchParams(params)}`, magpie.url));
  return (await answer.json()) as {
    readonly matches: readonly { readonly metadata: { readonly text: string } }[];
  };
}

async function firstOf(q: string, collection: string): Promise<string> {
  return (await get('/query', { q, collection })).matches[0]?.metadata.text ?? '';
}

test('everyday questions have their answers first, alone and beside a long talk', {
  timeout: 120_000,
}, async () => {
  for (const [at, [, notes]] of CASES.entries())
    for (const q of notes) await get('/upsert', { q, collection: `case-${at}` });
  for (let at = 0; at < 120; at++)
    await get('/upsert', {
      q: `Mia: We talked of the weather in week ${at}. Leo: And of soup number ${at}.`,
      collection: 'all',
    });
  for (const [, notes] of CASES) for (const q of notes) await get('/upsert', { q, collection: 'all' });
  const wrong: string[] = [];
  for (const [at, [kind, , question, answer]] of CASES.entries())
    for (const collection of [`case-${at}`, 'all'])
      if (!(await firstOf(question, collection)).includes(answer)) wrong.push(`${kind} in ${collection}`);
  expect(wrong).toEqual([]);
});
