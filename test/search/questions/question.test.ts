import { describe, expect, test } from 'vitest';
import { classifyQuestion } from '../../../src/search/questions/question.ts';
import { processorSeconds } from '../../helpers/processor-time.ts';

const read = (text: string) => {
  const { categories, language } = classifyQuestion(text, 2026);
  return [[...categories].sort().join(' '), language];
};

describe('the subject of a question', () => {
  test.each([
    ['how to bake sourdough bread', ''],
    ['best way to get rid of moths in the wardrobe', ''],
    ['cheap flights from Vienna to Lisbon', ''],
    ['how do magpies recognise themselves', ''],
    ['why is the sky blue', ''],
    ['things to do in Rome with two small children', ''],
    ['how long do I boil an egg', ''],
    ['iPhone battery drains overnight', ''],
    ['symptoms of vitamin d deficiency in adults', ''],
    ['where to go hiking near Innsbruck', ''],
    ['population of Austria by state', ''],
    ['best price for a laptop under $500', 'discussions'],
    ['how do giant pandas sleep', ''],
    ['which actors are in Django Unchained', ''],
    ['sonata number 14 in C minor, why so famous', ''],
    ['WHERE IN EUROPE IS IT WARM IN MAY', ''],
    ['how would people terraform Mars', ''],
    ['write to @someone on a social network, how', ''],
    ['python snake habitat', 'definitions'],
    ["TypeError: Cannot read properties of undefined (reading 'map')", 'code'],
    ['ECONNREFUSED 127.0.0.1:5432', 'code'],
    ['how do I undo the last git commit', 'code'],
    ['git rebase onto another branch', 'code'],
    ['useEffect runs twice in development', 'code'],
    ['numpy broadcasting rules', 'code'],
    ['pandas groupby two columns', 'code'],
    ['django orm select related', 'code'],
    ['$scope is undefined in my controller', 'code'],
    ['open ENOENT', 'code'],
    ['std::unique_ptr custom deleter', 'code'],
    ['rust borrow checker lifetime error', 'code'],
    ['python read csv file line by line', 'code'],
    ['ld: undefined reference to `main`', 'code'],
    ['Traceback (most recent call last): File "a.py", line 3, in <module>', 'code'],
    ['at Object.<anonymous> (/srv/app/index.js:14:7)', 'code'],
    ['npm install fails behind a proxy', 'code'],
    ['best rust crate for parsing toml', 'code discussions packages'],
    ['museums in Vienna', 'places'],
    ['docker compose --build no cache', 'code'],
    ['c++ move semantics', 'code'],
    ['C# linq group by several keys', 'code'],
    ['what does exit code 137 mean', 'code definitions'],
    ['tsconfig.json paths not resolved', 'code'],
    ['sql join two tables on several columns', 'code'],
    ['node.js stream backpressure', 'code'],
    ['React useEffect 无限循环 怎么解决', 'code'],
    ['attention is all you need arxiv', 'papers'],
    ['10.1038/nature14539', 'papers'],
    ['arXiv:1706.03762', 'papers'],
    ['systematic review of mindfulness for chronic pain', 'papers'],
    ['papers on graph neural networks for molecules', 'papers'],
    ['study on coffee and longevity', 'papers'],
    ['Vaswani et al transformer', 'papers'],
    ['what is photosynthesis', 'definitions'],
    ['What are the Maillard reactions?', 'definitions'],
    ['who was Hypatia', 'definitions'],
    ['photosynthesis', 'definitions'],
    ['Treaty of Westphalia', 'definitions'],
    ['serendipity meaning', 'definitions'],
    ['was ist ein Schwarzes Loch', 'definitions'],
    ['что такое энтропия', 'definitions'],
    ['量子纠缠是什么', 'definitions'],
    ['best laptop for students reddit', 'discussions'],
    ['is a heat pump worth it in an old house', 'discussions'],
    ['postgres vs mysql', 'code discussions'],
    ['alternatives to Google Photos', 'discussions'],
    ['does anyone regret moving to the countryside', 'discussions'],
    ['latest news on the Mars mission', 'news'],
    ['weather today in Graz', 'news'],
    ['federal budget 2026', 'news'],
    ['election results Portugal', 'news'],
    ['what is the price of gold today', 'news'],
    ['новости сегодня', 'news'],
  ])('%s', (text, categories) => {
    expect(read(text)[0]).toBe(categories);
  });

  test('may be several subjects', () => {
    expect(read('latest arxiv papers on rust borrow checker errors, reddit opinions')[0]).toBe(
      'code discussions news papers',
    );
  });
});

describe('the language of a question', () => {
  test.each([
    ['how do magpies build their nests', undefined],
    ['magpie', undefined],
    ['Paris Texas film', undefined],
    ['da Vinci as an engineer', undefined],
    ['Van de Graaff generator', undefined],
    ['von der Leyen speech', undefined],
    ['Los Angeles for kids', undefined],
    ['miles per gallon, come what may', undefined],
    ['C++ auto vs const auto', undefined],
    ['ai on a chip', undefined],
    ['how to say good morning in the German language', undefined],
    ['what does 你好 mean', undefined],
    ['the meaning of μ in statistics', undefined],
    ['喜鹊怎么筑巢', 'zh'],
    ['カササギの巣の作り方', 'ja'],
    ['東京 天気', 'ja'],
    ['天气预报', 'zh'],
    ['富山 新工場', undefined],
    ['까치 둥지', 'ko'],
    ['как сорока строит гнездо', 'ru'],
    ['як сорока будує гніздо', 'uk'],
    ['كيف يبني العقعق عشه', 'ar'],
    ['זנב העורב', 'he'],
    ['πώς χτίζει η κίσσα τη φωλιά', 'el'],
    ['นกกางเขน', 'th'],
    ['मैगपाई घोंसला', 'hi'],
    ['wie funktioniert eine Wärmepumpe', 'de'],
    ['comment fonctionne une pompe à chaleur', 'fr'],
    ['cómo funciona una bomba de calor', 'es'],
    ['come funziona una pompa di calore', 'it'],
    ['como funciona uma bomba de calor', 'pt'],
    ['hoe werkt een warmtepomp', 'nl'],
    ['jak działa pompa ciepła', 'pl'],
    ['React useEffect 无限循环 怎么解决', 'zh'],
  ])('%s', (text, language) => {
    expect(read(text)[1]).toBe(language);
  });
});

test('hostile text is read in bounded time', () => {
  for (const piece of ['a', 'A', '1', ' ', '_', '::', 'aB', '(', '10.', 'at x:', 'vs ', '是', 'é ', '\\']) {
    const text = piece.repeat(100_000);
    expect(
      processorSeconds(() => classifyQuestion(text, 2026)),
      piece,
    ).toBeLessThan(0.5);
  }
});
