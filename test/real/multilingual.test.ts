import { afterAll, describe, expect, test } from 'vitest';
import { createMultilingualEmbedder } from '../../src/knowledge/embedders/multilingual.ts';
import { describeEmbedder } from '../contracts/embedder.ts';
import { dot } from '../helpers/vectors.ts';

const none = async () => {};
describeEmbedder('the multilingual model', async () => createMultilingualEmbedder(), none);
describeEmbedder(
  'the multilingual model in WebAssembly',
  async () => createMultilingualEmbedder({ runtime: 'wasm' }),
  none,
);

const { signal } = new AbortController();
/** The same four subjects in nine languages. */
const TEXTS: Readonly<Record<string, readonly string[]>> = {
  en: [
    'How to reset a forgotten password',
    'The bakery opens at seven on weekdays',
    'Bees make honey from nectar',
    'The price of copper fell again',
  ],
  de: [
    'So setzt man ein vergessenes Passwort zurück',
    'Die Bäckerei öffnet werktags um sieben',
    'Bienen machen Honig aus Nektar',
    'Der Kupferpreis ist wieder gefallen',
  ],
  fr: [
    'Comment réinitialiser un mot de passe oublié',
    'La boulangerie ouvre à sept heures en semaine',
    'Les abeilles font du miel avec du nectar',
    'Le prix du cuivre a encore baissé',
  ],
  ru: [
    'Как сбросить забытый пароль',
    'Пекарня открывается в семь по будням',
    'Пчёлы делают мёд из нектара',
    'Цена на медь снова упала',
  ],
  ar: [
    'كيفية إعادة تعيين كلمة مرور منسية',
    'يفتح المخبز في السابعة أيام الأسبوع',
    'يصنع النحل العسل من الرحيق',
    'انخفض سعر النحاس مرة أخرى',
  ],
  zh: ['如何重置忘记的密码', '面包店工作日七点开门', '蜜蜂用花蜜酿造蜂蜜', '铜价再次下跌'],
  ja: [
    '忘れたパスワードをリセットする方法',
    'パン屋は平日七時に開きます',
    'ミツバチは花の蜜から蜂蜜を作る',
    '銅の価格がまた下がった',
  ],
  hi: [
    'भूला हुआ पासवर्ड कैसे रीसेट करें',
    'बेकरी कार्यदिवसों में सात बजे खुलती है',
    'मधुमक्खियाँ पराग रस से शहद बनाती हैं',
    'तांबे की कीमत फिर गिर गई',
  ],
  sw: [
    'Jinsi ya kuweka upya nenosiri lililosahaulika',
    'Duka la mikate hufunguliwa saa moja asubuhi siku za kazi',
    'Nyuki hutengeneza asali kutokana na nekta',
    'Bei ya shaba imeshuka tena',
  ],
};
const QUESTIONS = [
  'I cannot log in any more',
  'When can I buy bread?',
  'Where does honey come from?',
  'metal markets',
];

describe('the multilingual model', () => {
  const open: ReturnType<typeof createMultilingualEmbedder>[] = [];
  const create = (...options: Parameters<typeof createMultilingualEmbedder>) => {
    const embedder = createMultilingualEmbedder(...options);
    open.push(embedder);
    return embedder;
  };
  afterAll(() => Promise.all(open.map((embedder) => embedder.close())));

  test('an English question finds its answer among texts of nine languages', async () => {
    const embedder = create();
    const texts = Object.values(TEXTS).flat();
    const passages = await embedder.embed(texts, 'passage', signal);
    const questions = await embedder.embed(QUESTIONS, 'query', signal);
    for (const [subject, question] of questions.entries()) {
      const order = passages
        .map((vector, at) => ({ subject: at % 4, score: dot(question, vector) }))
        .sort((a, b) => b.score - a.score)
        .slice(0, 9);
      expect(order[0]?.subject, QUESTIONS[subject]).toBe(subject);
      expect(
        order.filter((one) => one.subject === subject).length,
        QUESTIONS[subject],
      ).toBeGreaterThanOrEqual(7);
    }
  });

  test('unrelated texts have low cosines, within one language and across languages', async () => {
    const embedder = create();
    const vectors = await embedder.embed(Object.values(TEXTS).flat(), 'passage', signal);
    const of = (same: boolean) =>
      vectors.flatMap((a, i) =>
        vectors.flatMap((b, k) => (i < k && (i % 4 === k % 4) === same ? [dot(a, b)] : [])),
      );
    const mean = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
    expect(mean(of(false))).toBeLessThan(0.2);
    expect(mean(of(true))).toBeGreaterThan(0.5);
  });

  test('a vector does not depend on the other texts of its batch', async () => {
    const embedder = create({ threads: 1 });
    const texts = Object.values(TEXTS).flat();
    const together = await embedder.embed(texts, 'passage', signal);
    for (const at of [0, 9, 22, 35]) {
      const [alone] = await embedder.embed([texts[at] ?? ''], 'passage', signal);
      expect(dot(alone ?? new Float32Array(), together[at] ?? new Float32Array())).toBeGreaterThan(0.9999);
    }
  });
});
