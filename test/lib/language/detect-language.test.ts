import { expect, test } from 'vitest';
import { needsMultilingual } from '../../../src/knowledge/embedding/languages.ts';
import {
  detectNonEnglish,
  detectTextLanguage,
  isNonEnglishQuestion,
} from '../../../src/lib/language/detect-language.ts';
import { processorSeconds } from '../../helpers/processor-time.ts';

const OTHER_LETTERS: Readonly<Record<string, string>> = {
  Chinese: '星期二上午十点去看牙医',
  'Chinese with names': '用 Kubernetes 部署 PostgreSQL 数据库',
  Japanese: '火曜日の10時に歯医者',
  Korean: '화요일 10시 치과',
  Russian: 'Во вторник в 10 к зубному',
  Greek: 'Ραντεβού με τον οδοντίατρο την Τρίτη',
  Arabic: 'موعد طبيب الأسنان يوم الثلاثاء',
  Hebrew: 'תור לרופא שיניים ביום שלישי',
  Hindi: 'मंगलवार को दस बजे दंत चिकित्सक',
  Thai: 'นัดหมอฟันวันอังคาร',
};
const LATIN_LETTERS: Readonly<Record<string, string>> = {
  German: 'Morgen um 10 Uhr habe ich einen Termin beim Zahnarzt',
  French: 'Je dois aller chez le dentiste mardi à 14h avec les enfants',
  Spanish: 'El coche tiene que pasar la inspección antes de mayo',
  Portuguese: 'A minha mãe faz anos no dia 3 de maio e eu vou com ela',
  Italian: 'La macchina deve fare la revisione prima di maggio, non dopo',
  Dutch: 'De auto moet voor mei naar de keuring en ik heb geen tijd',
  Polish: 'Samochód musi przejść przegląd, ale nie wiem kiedy',
  Turkish: 'Annemin doğum günü için bir hediye almak istiyorum ama çok pahalı',
  Vietnamese: 'Tôi phải đi khám răng vào thứ ba nhưng không có thời gian',
  Indonesian: 'Saya harus pergi ke dokter gigi pada hari Selasa dengan anak',
  Swedish: 'Jag måste till tandläkaren på tisdag men jag har inte tid',
  Finnish: 'Minun pitää mennä hammaslääkäriin mutta en tiedä milloin se on',
  Czech: 'Musím jít k zubaři, ale nevím kdy, protože nemám čas',
  Romanian: 'Trebuie să merg la dentist marți, dar nu am timp pentru asta',
  Hungarian: 'Nem tudom, hogy mikor kell fogorvoshoz menni, mert nincs idő',
};
const NONE: Readonly<Record<string, string>> = {
  English: 'The meeting about the budget is on Tuesday at ten.',
  'a short note': 'buy milk',
  'English with foreign words': 'We had Schadenfreude and a café au lait in the kindergarten',
  'English with a quotation': 'He said "je ne sais quoi" about the film that we saw',
  'English with a Chinese name': 'Dinner at 北京烤鸭 with the whole team next Friday evening',
  'a formula': 'α = β + γ',
  names: 'José García Muñoz, Björn Ångström, Zoë Müller, Ursula von der Leyen, Vincent van Gogh',
  places: 'El Paso, Los Angeles, Las Vegas, La Jolla, Rio de Janeiro, Rue de la Paix',
  code: 'const x = await fetch(url);\nif (!x.ok) throw new Error(x.status);\nvar val = { en: 1, de: 2, es: 3 };',
  'a query': 'SELECT id, name FROM users WHERE id = ? AND den.die = un.une',
  'an address': 'https://des.example/und/oder/nicht?les=une&des=pas',
  'a table': '| 2024 | 12.5 | 13 |\n| 2025 | 1 | 2 |',
  JSON: '{"de": "x", "es": "y", "une": 1, "und": 2, "nicht": 3, "pas": 4}',
  nothing: '',
  emoji: '🐦🐦🐦🐦🐦🐦🐦🐦',
};

test.for(Object.entries(OTHER_LETTERS))('%s is certainly detected', ([, text]) => {
  expect(detectNonEnglish(text)).toBe('certain');
});

test.for(Object.entries(LATIN_LETTERS))('%s is likely not English', ([, text]) => {
  expect(detectNonEnglish(text)).toBe('likely');
});

test.for(Object.entries(NONE))('%s does not count for the language', ([, text]) => {
  expect(detectNonEnglish(text)).toBe('none');
});

test.each([
  ['Wo ist der Schlüssel?', true],
  ['¿Dónde está la llave?', true],
  ['Mi contraseña', true],
  ['牙医', true],
  ['when is the meeting', false],
  ['die hard movie', false],
  ['Dell Pro Max', false],
  ['El Paso weather', false],
])('the question %s counts as foreign: %s', (question, foreign) => {
  expect(isNonEnglishQuestion(question)).toBe(foreign);
});

const SHORT: Readonly<Record<string, readonly string[]>> = {
  de: ['Der Kasten steht im Keller', 'Zahnarzt am Dienstag', 'Rechnungen bezahlen', 'Kuchen backen für Lena'],
  sv: ['Nyckeln ligger på bordet', 'Betala räkningar', 'Tandläkare på tisdag', 'Böckerna är lånade'],
  da: ['Kasten står i kælderen', 'Nøglen ligger i skuffen', 'Køb mælk og brød', 'Mødet er flyttet'],
  no: ['Kasten står i kjelleren', 'Kjøp melk og brød', 'Bøkene er lånt', 'Sykkelen står i garasjen'],
  nl: ['De kasten zijn leeg', 'De sleutel ligt in de la', 'Rekeningen betalen', 'Tandarts op dinsdag'],
  fr: ['Appeler maman', 'Acheter du lait', 'La clé est dans le tiroir', 'Mot de passe du wifi'],
  es: ['Llamar a mamá', 'Dentista el martes', 'Pagar las facturas', 'El coche está en el taller'],
  it: ['Chiamare mamma', 'Pagare le bollette', 'La chiave è nel cassetto', 'Restituire i libri'],
  pt: ['Ligar para a mãe', 'Comprar leite e pão', 'Pagar as contas', 'Férias em Espanha'],
  pl: ['Kupić mleko i chleb', 'Zadzwonić do mamy', 'Klucz jest w szufladzie', 'Dentysta we wtorek'],
};
test.each(Object.entries(SHORT))('short notes are detected as %s', (language, notes) => {
  expect(notes.map(detectTextLanguage)).toEqual(notes.map(() => language));
});

test.each([
  ...['Call mum', 'Car at garage', 'Die hard movie', 'war movie', 'Con Edison bill', 'Han Solo poster'],
  ...[
    'Min wage',
    'Sin city',
    'Hat size',
    'Pour over coffee',
    'Plus size dress',
    'Mine is blue',
    'Hem the dress',
  ],
  ...[
    'Vincent van Gogh',
    'Das Boot tickets',
    'Den Haag trip',
    'El Camino Real',
    'Malmö office',
    'Crème brûlée',
  ],
])('the short note %j has no other language than English', (note) => {
  expect(detectTextLanguage(note)).toBeUndefined();
});

test('a word counts once, and an earlier text does not change the result of the next', () => {
  expect(detectNonEnglish('und und und und und und')).toBe('none');
  expect(detectNonEnglish('ich und du nicht')).toBe('likely');
  expect(detectNonEnglish('ich und du nicht')).toBe('likely');
});

test('long texts of any kind take little processor time', () => {
  const long = ['a'.repeat(5_000_000), "'".repeat(5_000_000), "a'".repeat(2_500_000), '星'.repeat(5_000_000)];
  expect(processorSeconds(() => long.map(detectNonEnglish))).toBeLessThan(5);
});

test('the multilingual model is chosen from a twentieth of the texts, or from 25 texts, and left below half of that', () => {
  const needed = (passages: number, nonenglish: number, multilingual = false, asked = 0) =>
    needsMultilingual({ passages, nonenglish, asked, multilingual });
  expect([needed(3, 1), needed(20, 1), needed(21, 1)]).toEqual([true, true, false]);
  expect([needed(2000, 25), needed(2000, 24), needed(10_000, 25)]).toEqual([true, false, false]);
  expect([needed(40, 1, true), needed(41, 1, true), needed(0, 0, true)]).toEqual([true, false, false]);
  expect([needed(50, 0, false, 1), needed(50, 0, false, 2), needed(50, 0, true, 0.5)]).toEqual([
    false,
    true,
    true,
  ]);
});
