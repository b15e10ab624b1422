import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { openGrowingIndex } from '../../../src/knowledge/indexes/growing.ts';
import { createKnowledge } from '../../../src/knowledge/knowledge.ts';
import { asksWhoOrWhere, isDenial } from '../../../src/knowledge/ranking/denial.ts';
import { extractSearchWords } from '../../../src/knowledge/ranking/search-words.ts';
import { createEntryStore } from '../../../src/knowledge/stores/entry-store.ts';
import { splitTerms } from '../../../src/lib/text/text.ts';
import { openTestDatabase } from '../../helpers/test-database.ts';
import { createWordEmbedder } from '../../helpers/word-embedder.ts';

const { signal } = new AbortController();
const closers: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function open(...notes: string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'magpie-signs-'));
  closers.push(() => rmSync(folder, { recursive: true, force: true }));
  const db = await openTestDatabase({ folder });
  const log = { warn() {}, info() {} };
  const store = createEntryStore(db);
  const knowledge = createKnowledge({
    store,
    embedder: createWordEmbedder(),
    openIndex: openGrowingIndex,
    log,
  });
  closers.push(async () => {
    await knowledge.close();
    db.close();
  });
  const insert = (text: string) => knowledge.insertEntry('ann', { text }, signal);
  for (const note of notes) await insert(note);
  const ask = async (question: string) =>
    (await knowledge.findPassages('ann', question, {}, signal)).map(({ passage }) => passage.text);
  return { ask, insert, knowledge };
}

test.each(['🎉', '🐦', '🇩🇰', '❤️', '👍🏽', '👩‍🚀'])('%s finds its note', async (emoji) => {
  const { ask } = await open(
    'The lamp is broken',
    `Party at the pier ${emoji} bring cake`,
    'A 🚲 for the isle',
  );
  expect((await ask(emoji))[0]).toContain(emoji);
});

test.each(['C++', 'C#', '♀', '★'])('%s finds the note with its sign first', async (sign) => {
  const { ask } = await open(
    ...['C++', 'C#', '♀', '★', 'C'].map((one) => `The ${one} group meets in room four of the old library`),
  );
  expect((await ask(`${sign} group`))[0]).toContain(`The ${sign} group`);
});

test('the words of a name in code are found, and such a name by its words, but no brand by its parts', () => {
  expect(extractSearchWords('parseUserId')).toEqual(['parseuserid', 'pars', 'user', 'id']);
  expect(extractSearchWords('HTTP getHTTPResponseCode2')).toEqual(
    expect.arrayContaining(['get', 'http', 'respons', 'code']),
  );
  expect(extractSearchWords('YouTube and GitHub on an iPhone by McDonald').sort()).toEqual(
    ['github', 'iphon', 'mcdonald', 'youtub'].sort(),
  );
});

test('a name with a dot before it is found first', async () => {
  const { ask } = await open(
    'Cast the net group far out at the mouth of the river at dawn',
    'The .NET group meets in room four of the old library on Monday',
    'The nets of the group dry in room four of the old library',
  );
  expect((await ask('.NET group'))[0]).toContain('.NET');
  expect((await ask('net group'))[0]).toContain('net');
});

const FORMS = ['1250000', '1,250,000', '1.250.000', '1 250 000', '1\u202f250\u00a0000', "1'250'000"];
FORMS.push('1_250_000', '12,50,000', '١٢٥٠٠٠٠');
test.each(FORMS)('a number is found in each notation by %s', async (asked) => {
  for (const written of FORMS) {
    const { knowledge } = await open(
      'The old mill was sold for 1,250 crowns',
      `The farm on the hill was sold for ${written} crowns`,
      'The new mill was sold for 250,000 crowns',
    );
    const [first] = await knowledge.findPassages('ann', `Who sold it for ${asked}?`, {}, signal);
    expect(first?.passage.text).toContain('farm');
    expect(first?.missing).toBeUndefined();
  }
});

test.each(['1,2,3', '1.250.5', 'v1.250.000', '2026 100', '0,250', '10:300', 'a1,250', '1\n250', '1  250'])(
  '%j is not one number',
  (text) => {
    expect(extractSearchWords(text)).toEqual(splitTerms(text));
  },
);

const SAME: readonly (readonly string[])[] = [
  ['Zahnarzttermin', 'Zahn\u00adarzt\u200btermin', 'zahn\ufeffarzttermin\u200e', 'ZAHNARZTTERMIN'],
  ['Straße 4', 'Strasse 4', 'STRASSE 4', 'straße\u00a04'],
  ['Œuvre à Łódź', 'oeuvre a lodz', 'OEUVRE A\u0300 ŁO\u0301DŹ', 'œuvre à\u2009łódź'],
  ['Ødegård', 'odegard', 'ØDEGA\u030aRD'],
];
const TYPED: readonly (readonly string[])[] = [
  ["Ann's “new” car", 'ann\'s "new" car', 'Ann’s „new‟ car', 'Ann‘s «new» car'],
  ['pages 3–5 — all', 'pages 3-5 - all', 'pages 3‑5 ― all', 'pages 3−5 – all'],
  ['٣ كِتَاب', '٣ كتاب'],
  ['Οδός', 'ΟΔΟΣ', 'οδοσ'],
  ['1,250,000 left', '1250000 left', '1 250 000 left'],
  ['ﬁle ｎａｍｅ…', 'file name...'],
];
test.each([...SAME, ...TYPED])('the filter by text finds each notation of %s', async (...notations) => {
  const { knowledge } = await open(
    'The lamp is broken',
    ...notations.map((one, at) => `Note ${at}: ${one}!`),
  );
  for (const text of notations) {
    const { entries } = await knowledge.listEntries('ann', 50, undefined, { text });
    expect(entries).toHaveLength(notations.length);
  }
});

test.each(SAME)('a question finds each notation of %s', async (...notations) => {
  for (const written of notations) {
    const { ask } = await open('The lamp is broken', `On the list: ${written}`, 'The pier is closed');
    for (const asked of notations) expect((await ask(asked))[0]).toContain(written);
  }
});

test.each([
  ['ガス', 'カス'],
  ['कि', 'का'],
  ['+49 171 234 567', '049 171'],
])('the filter by text does not find %s by %s', async (note, text) => {
  const { knowledge } = await open(note);
  expect((await knowledge.listEntries('ann', 50, undefined, { text })).entries).toEqual([]);
});

test.each([
  ['Bücher stehen im Keller', 'Buch'],
  ['Kasten står i kælderen', 'kast'],
  ['De kasten staan in de schuur', 'kast'],
  ['Böckerna är lånade', 'böcker'],
  ['Bøkene ligger i kjelleren', 'bøker'],
  ['Les factures sont dans le tiroir', 'facture'],
])('the short note %j is found by another form of its word: %s', async (note, asked) => {
  const { ask } = await open('The lamp is broken', note, 'Party at the pier');
  expect((await ask(asked))[0]).toBe(note);
});

test.each([
  ['wifi', 'Wi-Fi'],
  ['email', 'e-mail'],
  ['emails', 'e-mails'],
  ['followup', 'follow-up'],
  ['nodejs', 'Node.js'],
  ['OBrien', "O'Brien"],
  ['OBrien', 'O’Brien'],
  ['coop', 'co‑op'],
])('%s finds %s, and the other way', async (one, other) => {
  for (const [asked = '', written] of [
    [one, other],
    [other, one],
  ]) {
    const note = `On the list: ${written} for Lena`;
    const { ask } = await open('The lamp is broken', note, 'Party at the pier');
    expect((await ask(asked))[0]).toBe(note);
  }
});

test('the filter by text finds any part of a number', async () => {
  const { knowledge } = await open('Call +49 171 234 567 about 1,250,000');
  for (const text of ['49 171 234', '171 234 567', '1,250', '250,000', '50000'])
    expect((await knowledge.listEntries('ann', 50, undefined, { text })).entries).toHaveLength(1);
});

const PHONES = [
  '0309014427',
  '030 / 901 44-27',
  '030 90144 27',
  '(030) 901-4427',
  '030.901.44.27',
  '+49 30 9014427',
];
test.each(PHONES)('a telephone number is found in each writing by %s', async (asked) => {
  for (const written of PHONES) {
    const { ask } = await open(
      'Plumber Frost: 040 / 901 44-72, on weekdays',
      `Plumber Summer: ${written}, on weekends too`,
      'Plumber Crown: 040 / 555 10-10',
    );
    expect([written, (await ask(`Whose number is ${asked}?`))[0]]).toEqual([
      written,
      expect.stringContaining('Summer'),
    ]);
  }
});

const MONTHS = ['2026-02-11', '2026-06-19', '2026-11-12'];
test.each([
  ['When did I last change the filter?', 'Changed the filter of the pump', 'Bought a lamp'],
  ['When was the last time I changed the filter?', 'Changed the filter of the pump', 'Bought a lamp'],
  ['Wann habe ich zuletzt den Filter gewechselt?', 'Den Filter gewechselt, Modell', 'Die Lampe gewechselt'],
  ['Quand ai-je changé le filtre pour la dernière fois ?', 'Changé le filtre', 'Changé la lampe'],
  ["Quando ho cambiato l'ultima volta il filtro?", 'Cambiato il filtro', 'Cambiata la lampadina'],
  ['¿Cuándo fue la última vez que cambié el filtro?', 'Cambié el filtro', 'Cambié la lámpara'],
  ['Wanneer heb ik het filter voor het laatst vervangen?', 'Filter vervangen', 'Lamp vervangen'],
  ['Kiedy ostatnio wymieniłem filtr?', 'Wymieniłem filtr', 'Wymieniłem lampę'],
  ['Когда я последний раз менял фильтр?', 'Менял фильтр', 'Менял лампу'],
])('%s: the newest of like events comes first', async (question, event, other) => {
  const { ask, knowledge } = await open();
  const keep = (text: string, day: string) => {
    const time = Date.parse(day) * 1000;
    const facts = { id: `x-${time}`, title: '', source: '', tags: [], createdAt: time, updatedAt: time };
    return knowledge.restoreEntry('ann', { text, ...facts }, signal);
  };
  for (const at of [3, 1, 2]) await keep(`${event} ${at}`, MONTHS[at - 1] ?? '');
  await keep(other, '2026-11-20');
  expect((await ask(question)).slice(0, 3)).toEqual([3, 2, 1].map((at) => `${event} ${at}`));
  expect(await ask(event)).toHaveLength(4);
});

test('an emoji is one word, however it is shown', () => {
  expect(extractSearchWords('❤️')).toEqual(['❤']);
  expect(extractSearchWords('☀️ beach')).not.toContain('\ufe0f');
});

test.each(['\u200b', '\u200b\u200d\ufeff', '\u2060 \n\t', '\u00ad\u3164\u2800', '\u{e0061}', '\0'])(
  'text that nobody sees is refused as empty: %j',
  async (text) => {
    const { insert } = await open();
    await expect(insert(text)).rejects.toThrow('text is empty: give the text to remember');
  },
);

test('a note of joiners and a visible character is kept', async () => {
  const { ask } = await open('\u200b🐦');
  expect(await ask('🐦')).toEqual(['\u200b🐦']);
});

const DENIALS = [
  'The key is not with Ben any more.',
  "Ben doesn't have the key",
  'Ben no longer has the key. He never had the spare key.',
];
const ANSWERS = [
  'Anna has the key now.',
  'The key is with Carla since Tuesday',
  'The key is not with Ben, Dana has it',
];
test.each(DENIALS.flatMap((denial) => ANSWERS.map((answer) => [denial, answer])))(
  'who has the key: %s comes after %s',
  async (denial = '', answer = '') => {
    const { ask } = await open(answer, denial, 'The oars are in the shed');
    for (const question of ['who has the key?', 'Where is the key?']) {
      const found = await ask(question);
      expect(found.filter((one) => one === answer || one === denial)).toEqual([answer, denial]);
    }
  },
);

test.each([
  ['Wer hat den Schlüssel?', 'Ben hat den Schlüssel nicht mehr', 'Lena hat den Schlüssel'],
  ['Wo ist der Schlüssel?', 'Der Schlüssel ist nicht bei Ben', 'Der Schlüssel ist bei Lena'],
  ['Qui a la clé ?', "Ben n'a plus la clé", 'Léna a la clé'],
  ['Où est la clé ?', 'La clé n’est pas chez Ben', 'La clé est chez Léna'],
  ['¿Quién tiene la llave?', 'Ben ya no tiene la llave', 'Elena tiene la llave'],
  ['¿Dónde está la llave?', 'La llave no está con Ben', 'La llave está con Elena'],
  ['Chi ha la chiave?', 'Marco non ha più la chiave', 'Giulia ha la chiave'],
  ["Dov'è la chiave?", 'La chiave non è da Marco', 'La chiave è da Giulia'],
  ['Quem tem a chave?', 'O Ben já não tem a chave', 'A Ana tem a chave no armário'],
  ['Wie heeft de sleutel?', 'Ben heeft de sleutel niet meer', 'Lena heeft nu de sleutel'],
  ['Waar is de sleutel?', 'De sleutel is niet bij Ben', 'De sleutel is bij Lena'],
  ['Hvem har nøglen?', 'Ben har ikke nøglen længere', 'Lena har nøglen nu'],
  ['Vem har nyckeln?', 'Ben har inte nyckeln längre', 'Lena har nyckeln nu'],
  ['У кого ключ?', 'Ключа больше нет у Бена', 'Ключ у Лены'],
  ['Где ключ?', 'Ключ не у Бена', 'Ключ у Лены'],
  ['Kto ma klucz?', 'Ben już nie ma klucza', 'Lena ma klucz'],
])('%s: %s comes after %s', async (question, denial, answer) => {
  const { ask } = await open(answer, denial, 'Die Ruder sind im Schuppen');
  expect((await ask(question)).filter((one) => one === answer || one === denial)).toEqual([answer, denial]);
});

test.each([
  'Lena heeft nu de sleutel',
  'A chave está no armário',
  'Das Ei ist bei Anna',
  'Im Mai hat ihn Lena',
  'Non-stop flights from Oslo',
  'The key is with non-members',
])('%s says what is so, though a word of it denies in another language', (text) => {
  expect(isDenial(text)).toBe(false);
});

test.each([
  ['Var är nyckeln', true],
  ['Kim aldı anahtarı?', true],
  ['Kim anahtarı aldı', true],
  ['hol van a kulcs', true],
  ['Ki vette el a kulcsot?', true],
  ["where's the key", true],
  ["Kim's phone number?", false],
  ['Kim Larsen records', false],
  ['Ki theory notes', false],
  ['Var declarations in JavaScript', false],
  // A text that denies something is the answer to these.
  ['Who dislikes coriander?', false],
  ['Who does not like coriander?', false],
  ['Wer hasst Koriander?', false],
  ['Qui déteste la coriandre ?', false],
  ['Кто ненавидит кинзу?', false],
  ['Who likes coriander?', true],
])('%s asks who or where: %s', (text, expected) => {
  expect(asksWhoOrWhere(text)).toBe(expected);
});

test('letters that people type in place of those of a language find them', async () => {
  const notes = [
    'Døden kommer sent',
    'Łódka stoi w porcie',
    'Ægir og bátur',
    'Đorđe ima ključ',
    'Isparta gülü',
  ];
  const { ask } = await open(...notes);
  const found = ['doden', 'lodka', 'aegir', 'dorde', 'ısparta'].map(async (word) => (await ask(word))[0]);
  expect(await Promise.all(found)).toEqual(notes);
});

test('a tag is found in any spelling, with or without the sign of tags', async () => {
  const { knowledge } = await open();
  const insert = (text: string, ...tags: string[]) => knowledge.insertEntry('ann', { text, tags }, signal);
  await insert('one', '#garden', 'Español', '# 2', 'C#', '##');
  await insert('two', 'GARDEN', 'espan\u0303ol');
  const listed = async (...tags: string[]) =>
    (await knowledge.listEntries('ann', 10, undefined, { tags })).entries.length;
  const counts = [
    ['garden'],
    ['#Garden'],
    ['GARDEN'],
    ['español'],
    ['ESPAN\u0303OL'],
    ['garden', 'C#'],
    ['c'],
    ['gard'],
  ];
  expect(await Promise.all(counts.map((tags) => listed(...tags)))).toEqual([2, 2, 2, 2, 2, 1, 0, 0]);
  const { entries } = await knowledge.listEntries('ann', 10);
  expect(entries.at(-1)?.tags).toEqual(['garden', 'Español', '# 2', 'C#', '##']);
});

test('a question for what is not so finds it', async () => {
  const { ask } = await open('Anna has the key now.', 'Ben does not have the key');
  expect((await ask('who does not have the key?'))[0]).toBe('Ben does not have the key');
});

test('notes that name the day of a question come first, however it is written', async () => {
  const named = [
    '2026-03-14: the mast was stepped',
    'Meeting on 14.03.2026 about the berth',
    'On March 14th, 2026 Ben painted the hull',
    'Am 14. März 2026 kam der Kran',
  ];
  const beside = [
    'The crane is booked for 15 March 2026',
    '14 boats in March',
    'Budget 2026: 14,000 for March',
  ];
  const { ask } = await open(...named, ...beside);
  for (const day of ['14 March 2026', '2026-03-14', 'What happened on March 14, 2026?', '14. März 2026']) {
    expect([day, (await ask(day)).slice(0, 4).sort()]).toEqual([day, [...named].sort()]);
  }
});
