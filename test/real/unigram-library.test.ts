import { Tokenizer } from '@huggingface/tokenizers';
import { expect, test } from 'vitest';
import {
  createUnigram,
  readVocabularyPieces,
  type VocabularyPieces,
} from '../../src/knowledge/embedders/unigram.ts';

/** The tokenizer of the multilingual model beside the library that it stands for, which takes seconds to open its vocabulary. */

const FILE = new URL('../../packages/multilingual-e5-small/pieces.bin', import.meta.url);

/** What the library takes, made of the pieces: the trie has the whole vocabulary. */
function libraryOf(pieces: VocabularyPieces): Tokenizer {
  const [, nodes = 0, count = 0, unk_id = 0] = new Int32Array(pieces, 0, 4);
  const firstChild = new Int32Array(pieces, 16, nodes + 1);
  const pieceAt = new Int32Array(pieces, 16 + (nodes + 1) * 4, nodes);
  const scores = new Int32Array(pieces, 16 + (2 * nodes + 1) * 4, count);
  const units = new Uint16Array(pieces, 16 + (2 * nodes + 1 + count) * 4, nodes);
  const vocab = new Array<[string, number]>(count);
  const leading = new Array<string>(nodes).fill('');
  for (let node = 0; node < nodes; node++) {
    const text = leading[node] ?? '';
    const id = pieceAt[node] ?? -1;
    if (id >= 0) vocab[id] = [text, (scores[id] ?? 0) / 10_000];
    for (let child = firstChild[node] ?? 0; child < (firstChild[node + 1] ?? 0); child++) {
      leading[child] = text + String.fromCharCode(units[child] ?? 0);
    }
  }
  const marks = ['<s>', '<pad>', '</s>', '<unk>'];
  const special = (id: string) => ({ SpecialToken: { id, type_id: 0 } });
  const replaced = (Regex: string, content: string) => ({ type: 'Replace', pattern: { Regex }, content });
  const around = [special('<s>'), { Sequence: { id: 'A', type_id: 0 } }, special('</s>')];
  const named = (id: number, content: string) => [content, { id: content, ids: [id], tokens: [content] }];
  const about = { single_word: false, lstrip: false, rstrip: false, normalized: false, special: true };
  const json = {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: marks.map((content, id) => ({ id, content, ...about })),
    normalizer: {
      type: 'Sequence',
      normalizers: [
        { type: 'NFKC' },
        replaced('[\\u0000-\\u0008\\u000b\\u000e-\\u001f\\u007f\\u200b-\\u200f]+', ''),
        replaced('\\s+', ' '),
      ],
    },
    pre_tokenizer: { type: 'Metaspace', replacement: '▁', prepend_scheme: 'always', split: true },
    post_processor: {
      type: 'TemplateProcessing',
      single: around,
      pair: around,
      special_tokens: Object.fromEntries([named(0, '<s>'), named(2, '</s>')]),
    },
    decoder: null,
    model: { type: 'Unigram', unk_id, vocab, byte_fallback: false },
  };
  const config = { unk_token: '<unk>', bos_token: '<s>', eos_token: '</s>', pad_token: '<pad>' };
  return new Tokenizer(json as unknown as ConstructorParameters<typeof Tokenizer>[0], config);
}

const SENTENCES: Readonly<Record<string, string>> = {
  ar: 'تعود الطيور إلى أعشاشها قبل غروب الشمس بقليل.',
  bn: 'সন্ধ্যার আগে পাখিরা তাদের বাসায় ফিরে আসে।',
  cs: 'Ptáci se vracejí do hnízd krátce před západem slunce.',
  de: 'Die Vögel kehren kurz vor Sonnenuntergang in ihre Nester zurück.',
  el: 'Τα πουλιά επιστρέφουν στις φωλιές τους λίγο πριν δύσει ο ήλιος.',
  en: "The birds return to their nests shortly before sunset, don't they?",
  es: '¿Vuelven los pájaros a sus nidos poco antes de la puesta del sol?',
  fa: 'پرندگان کمی پیش از غروب آفتاب به آشیانه‌های خود برمی‌گردند.',
  fi: 'Linnut palaavat pesiinsä vähän ennen auringonlaskua.',
  fr: 'Les oiseaux rentrent à leur nid peu avant le coucher du soleil.',
  he: 'הציפורים חוזרות לקיניהן זמן קצר לפני השקיעה.',
  hi: 'सूर्यास्त से थोड़ा पहले पक्षी अपने घोंसलों में लौट आते हैं।',
  hu: 'A madarak röviddel naplemente előtt visszatérnek a fészkükbe.',
  id: 'Burung-burung kembali ke sarangnya sesaat sebelum matahari terbenam.',
  it: 'Gli uccelli tornano al nido poco prima del tramonto.',
  ja: '鳥たちは日没の少し前に巣に帰ってくる。',
  ka: 'ჩიტები მზის ჩასვლამდე ცოტა ხნით ადრე ბრუნდებიან ბუდეებში.',
  ko: '새들은 해가 지기 조금 전에 둥지로 돌아온다.',
  nl: 'De vogels keren kort voor zonsondergang terug naar hun nest.',
  pl: 'Ptaki wracają do gniazd krótko przed zachodem słońca.',
  pt: 'Os pássaros voltam aos ninhos pouco antes do pôr do sol.',
  ru: 'Птицы возвращаются в гнёзда незадолго до захода солнца.',
  sw: 'Ndege hurudi kwenye viota vyao muda mfupi kabla ya jua kutua.',
  ta: 'சூரியன் மறைவதற்குச் சற்று முன் பறவைகள் கூடுகளுக்குத் திரும்புகின்றன.',
  th: 'นกกลับรังก่อนพระอาทิตย์ตกดินเล็กน้อย',
  tr: 'Kuşlar gün batımından kısa süre önce yuvalarına döner.',
  uk: 'Птахи повертаються до гнізд незадовго до заходу сонця.',
  vi: 'Những con chim trở về tổ ngay trước khi mặt trời lặn.',
  zh: '鸟儿在日落前不久回到巢中,明天再飞走。',
};
const REGIONS =
  'AR AU BR CA CH CN DE EG ES FI FR GB GE GR HU ID IL IN IR IS IT JP KE KR MX NL NZ PL RU TH TR UA US VN ZA'.split(
    ' ',
  );
const UNITS = ['day', 'week', 'month', 'year', 'hour'] as const;

/** Twelve texts of a language: a sentence, and what the platform knows to say in it. */
function textsIn(language: string, sentence: string): string[] {
  const names = (type: 'region' | 'language' | 'currency') => new Intl.DisplayNames(language, { type });
  const [region, tongue] = [names('region'), names('language')];
  const date = new Intl.DateTimeFormat(language, { dateStyle: 'full', timeStyle: 'long', timeZone: 'UTC' });
  const ago = new Intl.RelativeTimeFormat(language);
  const list = new Intl.ListFormat(language);
  const price = new Intl.NumberFormat(language, {
    style: 'currency',
    currency: 'EUR',
    currencyDisplay: 'name',
  });
  return Array.from({ length: 12 }, (_, i) => {
    const places = [0, 7, 19].map((step) => region.of(REGIONS[(i + step) % REGIONS.length] ?? 'US') ?? '');
    const languages = Object.keys(SENTENCES)
      .slice(i % 25, (i % 25) + 3)
      .map((one) => tongue.of(one) ?? '');
    return [
      i % 4 === 0 ? sentence : '',
      list.format(places),
      `${date.format(new Date(i * 5e10))} (${ago.format(i - 20, UNITS[i % 5] ?? 'day')}): ${price.format(i * 1234.56)}`,
      list.format(languages),
    ].join(i % 2 ? ' ' : '\n');
  });
}

const HOSTILE = [
  ...['', '   ', '\0\x07', '\ud83d', 'a\ud83d\ud83db', '\udc00\ud800x', '\t\n\r\f\v\u00a0\u2028\u0085\ufeff'],
  ...['<s></s><pad><unk><mask>', '＜s＞ ＜unk＞ ＜unk＞', '<unk', '[SEP] </s', '▁▁ ▁a', '\u2581'],
  ...[
    '👨‍👩‍👧‍👦🏳️‍🌈👍🏽'.repeat(20),
    '\u200b\u200d\ufeff zero\u200bwidth',
    'ﷺ'.repeat(100),
    'ﬁ ① ㌔ ½ Ⅷ Å',
    '\u3000全角　ＡＢＣ',
  ],
  ...[
    'x'.repeat(3000),
    '\u0301'.repeat(3000),
    'ก็ำ'.repeat(100),
    '\u{10ffff}\u{1f9ff}\u{20000}',
    'à'.normalize('NFD').repeat(30),
  ],
  ...Array.from({ length: 60 }, (_, i) =>
    String.fromCharCode(...Array.from({ length: 40 }, (_, k) => (i * 1103 + k * k * 613) % 0x10000)),
  ),
];

test('the tokenizer over typed arrays returns the ids of the library for 348 texts in 29 languages, and for hostile texts', async () => {
  const pieces = await readVocabularyPieces(FILE);
  const [mine, library] = [createUnigram(pieces), libraryOf(pieces)];
  const texts = Object.entries(SENTENCES).flatMap(([language, sentence]) => textsIn(language, sentence));
  expect(texts).toHaveLength(348);
  expect(new Set(texts).size).toBe(348);
  for (const text of [...texts, ...HOSTILE])
    expect([text, mine.encode(text).ids]).toEqual([text, library.encode(text).ids]);
});
