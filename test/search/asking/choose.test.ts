import { describe, expect, test } from 'vitest';
import {
  chooseEngines,
  isForQuestionCategory,
  removeUnsupportedSites,
} from '../../../src/search/asking/choose.ts';
import type { QueryFilter, SearchCategory, SearchEngine } from '../../../src/search/engine.ts';
import { createHitFilter } from '../../../src/search/questions/hit-filter.ts';
import { classifyQuestion } from '../../../src/search/questions/question.ts';
import { NO_FACTS } from '../../helpers/engine-site.ts';

const engine = (name: string, categories: SearchCategory[], takes: QueryFilter[] = []): SearchEngine => ({
  name,
  about: {
    title: 'Test',
    website: 'https://e.example/',
    categories,
    takes,
    pace: 0,
    facts: NO_FACTS,
  },
  request: () => ({ url: 'https://e.example/' }),
  parse: () => [],
});
const ENGINES = [
  engine('web', ['general'], ['language', 'site', 'timeRange']),
  engine('plain', ['general']),
  engine('encyclopedia', ['general', 'definitions'], ['language']),
  engine('papers', ['papers'], ['timeRange']),
  engine('code', ['code', 'discussions']),
  engine('talk', ['discussions', 'news'], ['timeRange']),
];
const names = (text: string, query: object = {}, engines = ENGINES) => {
  const { asked, left } = chooseEngines(engines, classifyQuestion(text, 2026), { text, limit: 10, ...query });
  return [asked.map(({ name }) => name).join(' '), left.map(({ name }) => name).join(' ')];
};

describe('engines are chosen by the question', () => {
  test.each([
    ['how to bake bread', 'web plain encyclopedia'],
    ['TypeError: x is not a function', 'web plain encyclopedia code'],
    ['systematic review of mindfulness', 'web plain encyclopedia papers'],
    ['bread news today', 'web plain encyclopedia talk'],
    ['postgres vs mysql', 'web plain encyclopedia code talk'],
  ])('%s', (text, asked) => {
    expect(names(text)).toEqual([asked, '']);
  });

  test('without a general engine all engines are asked', () => {
    expect(names('how to bake bread', {}, ENGINES.slice(3))).toEqual(['papers code talk', '']);
  });

  test('a filter leaves out engines that do not support it, unless no engine would remain', () => {
    expect(names('how to bake bread', { site: ['e.example'] })).toEqual(['web', 'plain encyclopedia']);
    expect(names('bread news today', { timeRange: 'day' })).toEqual(['web talk', 'plain encyclopedia']);
    expect(names('how to bake bread', { language: 'de', region: 'AT' })[0]).toBe('web plain encyclopedia');
    expect(names('how to bake bread', { site: ['e.example'] }, ENGINES.slice(1, 3))).toEqual([
      'plain encyclopedia',
      '',
    ]);
    const { left } = chooseEngines(ENGINES, classifyQuestion('bread', 2026), {
      text: '',
      limit: 1,
      timeRange: 'day',
    });
    expect(left).toContainEqual({ name: 'plain', reason: 'left out: it cannot search within a time' });
  });

  test('several sites leave out engines that accept one site, and an engine that can exclude sites is asked', () => {
    const engines = [
      engine('one', ['general'], ['site']),
      engine('many', ['general'], ['site', 'sites', 'excludeSite']),
    ];
    const query = {
      text: 'bread',
      limit: 10,
      site: ['a.example', 'b.example'],
      excludeSite: ['c.a.example'],
    };
    expect(names('bread', query, engines)).toEqual(['many', 'one']);
    expect(names('bread', { excludeSite: ['a.example'] }, engines)).toEqual(['one many', '']);
    const [one, many] = engines.map((each) => removeUnsupportedSites(each, query));
    expect(one).toEqual({ text: 'bread', limit: 10 });
    expect(many).toEqual(query);
    expect(
      removeUnsupportedSites(engines[0] as SearchEngine, { ...query, site: ['a.example'] }).site,
    ).toEqual(['a.example']);
  });

  test('a named category takes precedence over the words of the question', () => {
    expect(names('how to bake bread', { category: 'papers' })[0]).toBe('web plain encyclopedia papers');
    expect(names('bread news today', { category: 'papers' })[0]).toBe('web plain encyclopedia papers');
    expect(names('bread news today', { category: 'general' })[0]).toBe('web plain encyclopedia');
    expect(names('how to bake bread', { category: 'places' })[0]).toBe('web plain encyclopedia');
    const pictures = [...ENGINES, engine('pictures', ['general', 'images'])];
    expect(names('how to bake bread', { category: 'images' }, pictures)[0]).toBe('pictures');
  });

  test('the engines of the subject are those of the named category, or else those of the words', () => {
    const subject = (text: string, query: object = {}) => [
      ...chooseEngines(ENGINES, classifyQuestion(text, 2026), { text, limit: 10, ...query }).subject,
    ];
    expect(subject('bread news today')).toEqual(['talk']);
    expect(subject('bread news today', { category: 'definitions' })).toEqual(['encyclopedia']);
    expect(subject('bread news today', { category: 'general' })).toEqual([]);
    expect(subject('bread news today', { category: 'places' })).toEqual([]);
  });

  test('result pages for the named subject come first, followed by two other result pages', () => {
    const page = (name: string, categories: SearchCategory[]) => ({
      ...engine(name, categories),
      about: { ...engine(name, categories).about, resultPage: true as const },
    });
    const engines = [
      ...['a', 'b', 'c', 'd'].map((name) => page(name, ['general'])),
      ...['e', 'f'].map((name) => page(name, ['general', 'news'])),
    ];
    const choice = chooseEngines(engines, classifyQuestion('bread', 2026), {
      text: 'bread',
      limit: 10,
      category: 'news',
    });
    expect(choice.asked.map(({ name }) => name).join('')).toBe('abef');
    expect(choice.reserve.map(({ name }) => name).join('')).toBe('cd');
  });

  test('engines without further pages are left out of a request for a further page', () => {
    const deep = {
      ...engine('deep', ['general']),
      about: { ...engine('deep', ['general']).about, pages: 3 },
    };
    expect(names('bread', { page: 2 }, [deep, ...ENGINES.slice(0, 1)])).toEqual(['deep', 'web']);
    const none = chooseEngines([deep], classifyQuestion('bread', 2026), {
      text: 'bread',
      limit: 10,
      page: 4,
    });
    expect([none.asked, none.left.map(({ name }) => name)]).toEqual([[], ['deep']]);
  });

  test('the five result pages that are free soonest are asked, and the others stay in reserve', () => {
    const page = (name: string) => ({
      ...engine(name, ['general']),
      about: { ...engine(name, ['general']).about, resultPage: true as const },
    });
    const engines = [...['a', 'b', 'c', 'd', 'e', 'f', 'g'].map(page), engine('wiki', ['general'])];
    const waits: Record<string, number> = { a: 3000, c: Number.POSITIVE_INFINITY };
    const { asked, reserve } = chooseEngines(
      engines,
      classifyQuestion('bread', 2026),
      { text: 'bread', limit: 10 },
      ({ name }) => waits[name] ?? 0,
    );
    // c is suspended: it is not asked in truth, and takes nobody's place.
    expect(asked.map(({ name }) => name).join('')).toBe('bcdefgwiki');
    expect(reserve.map(({ name }) => name).join('')).toBe('a');
  });

  test('services come before result pages: three are asked at once, the others and then the result pages stay in reserve, last resorts last', () => {
    const made = (name: string, about: Partial<SearchEngine['about']>): SearchEngine => ({
      ...engine(name, ['general']),
      about: { ...engine(name, ['general']).about, ...about },
    });
    const services = ['s', 't', 'u', 'v'].map((name) => made(name, {}));
    const pages = [
      made('l', { resultPage: true, lastResort: true }),
      ...['a', 'b', 'c', 'd', 'e'].map((name) => made(name, { resultPage: true })),
    ];
    const wiki = engine('wiki', ['general', 'definitions']);
    const choose = (engines: readonly SearchEngine[], suspended = '') => {
      const choice = chooseEngines(
        engines,
        classifyQuestion('how to bake bread', 2026),
        { text: 'how to bake bread', limit: 10 },
        ({ name }) => (suspended.includes(name) ? Number.POSITIVE_INFINITY : name === 's' ? 100 : 0),
      );
      return [choice.asked, choice.reserve].map((some) => some.map(({ name }) => name).join(' '));
    };
    expect(choose([...services, ...pages, wiki])).toEqual(['t u v wiki', 's a b c d e l']);
    // An engine of the user's own is asked every question.
    expect(choose([made('own', { own: true }), ...services, ...pages])).toEqual([
      'own t u v',
      's a b c d e l',
    ]);
    // Without services, or with too few of them that are not suspended, five pages are asked at once.
    expect(choose([...pages, wiki])).toEqual(['a b c d e wiki', 'l']);
    expect(choose([...services, ...pages], 'stu')).toEqual(['s t u v a b c d e', 'l']);
    expect(choose([...services, ...pages], 'tu')).toEqual(['s t u v', 'a b c d e l']);
  });

  test('an engine counts as special if it was chosen for the category', () => {
    const question = classifyQuestion('what is photosynthesis, arxiv', 2026);
    expect(ENGINES.filter((one) => isForQuestionCategory(one, question)).map(({ name }) => name)).toEqual([
      'papers',
    ]);
  });
});

describe('within the filters', () => {
  const now = Date.UTC(2026, 10, 21, 12);
  const hit = (url: string, published?: number) => ({
    url,
    title: '',
    snippet: '',
    ...(published !== undefined && { published }),
  });

  test.each([
    ['https://nodejs.org/api', true],
    ['https://docs.nodejs.org/', true],
    ['https://www.nodejs.org/', true],
    ['https://notnodejs.org/', false],
    ['https://nodejs.org.evil.example/', false],
    ['https://e.example/?site=nodejs.org', false],
  ])('site: %s', (url, within) => {
    expect(createHitFilter({ text: '', limit: 1, site: ['nodejs.org'] }, now)(hit(url))).toBe(within);
    const several = { text: '', limit: 1, site: ['deno.example', 'nodejs.org'] };
    expect(createHitFilter(several, now)(hit(url))).toBe(within);
    expect(
      createHitFilter({ text: '', limit: 1, excludeSite: ['x.example', 'nodejs.org'] }, now)(hit(url)),
    ).toBe(!within);
  });

  test('a host can be excluded from a site, and an engine can name the host better than its link does', () => {
    const within = createHitFilter(
      { text: '', limit: 1, site: ['e.example'], excludeSite: ['old.e.example'] },
      now,
    );
    expect(within(hit('https://old.e.example./a'))).toBe(false);
    expect(within(hit('https://new.e.example/a'))).toBe(true);
    const link = hit('https://news.example/rss/1');
    expect(within(link)).toBe(false);
    expect(within({ ...link, host: 'www.e.example' })).toBe(true);
    expect(within({ ...link, host: 'old.e.example' })).toBe(false);
  });

  test.each([
    ['day', 1, 3],
    ['week', 7, 10],
    ['month', 31, 40],
    ['year', 366, 380],
  ] as const)('a %s', (timeRange, inside, outside) => {
    const within = createHitFilter({ text: '', limit: 1, timeRange }, now);
    expect(within(hit('https://e.example/', now - inside * 86_400_000))).toBe(true);
    expect(within(hit('https://e.example/', now - outside * 86_400_000))).toBe(false);
    expect(within(hit('https://e.example/'))).toBe(true);
  });
});
