import { describe, expect, test } from 'vitest';
import type { SearchHit, SearchQuery } from '../../../src/search/engine.ts';
import { areUnrelated } from '../../../src/search/merging/unrelated.ts';
import { randomOf } from '../../helpers/simulated-web.ts';

const hit = (title: string, snippet = 'Something more of it.', url = 'https://e.example/'): SearchHit => ({
  title,
  snippet,
  url,
});
const isJunk = (text: string, hits: readonly SearchHit[], more: Partial<SearchQuery> = {}) =>
  areUnrelated(hits, { text, limit: 10, ...more });

const JUNK = [
  hit('Michael shops: crafts and frames', 'Best offers of the week near you.'),
  hit('Install a dishwasher yourself', 'Best offers of the week near you.'),
  hit('Debian street, houses for sale', 'Best offers of the week near you.'),
  hit('How to tie a tie', 'Best offers of the week near you.'),
  hit('Docker pants for men', 'Best offers of the week near you.'),
];
const CHINESE = Array.from({ length: 5 }, (_, at) =>
  hit(`北京天气预报 ${at}`, '今天北京的天气怎么样？明天会不会下雨。'),
);

describe('results unrelated to the question', () => {
  test.each([
    ['how to install docker on debian', JUNK],
    ['install docker debian', JUNK],
    ['how do I prune an old apple tree in winter', JUNK],
    ['how to tie a bowline knot', JUNK.slice(0, 3)],
    ['how to install docker on debian', CHINESE],
    ['wie repariere ich die Kette an einem Fahrrad', CHINESE],
  ])('%s', (text, hits) => {
    expect(isJunk(text, hits)).toBe(true);
  });
});

describe('results unrelated by words alone, in any language', () => {
  test.each(['magpie nest building season', 'how to prune a tree', 'fish tank filter'])('%s', (text) => {
    expect(areUnrelated(JUNK, { text, limit: 10 }, { isLexical: true })).toBe(true);
  });

  test('an engine that compares meanings may have translated the words', () => {
    expect(isJunk('magpie nest building season', JUNK)).toBe(false);
    expect(isJunk('kettenschaltung einstellen', JUNK)).toBe(false);
  });

  test('one word of the question in one result is enough to keep the results', () => {
    const isLexicalJunk = (text: string, hits = JUNK) =>
      areUnrelated(hits, { text, limit: 10 }, { isLexical: true });
    expect(isLexicalJunk('gdpr article 15 template', [...JUNK, hit('Article 15')])).toBe(false);
    // Of two words both may be abbreviations, and a page may give none of them.
    expect(isLexicalJunk('fb login')).toBe(false);
    expect(isLexicalJunk('heart attack symptoms', JUNK.slice(0, 4))).toBe(false);
  });
});

describe('relevant results are never judged unrelated', () => {
  const others = [hit('Something else', 'Of another kind.'), hit('A third one', 'Beside it.')];
  test.each([
    ['words in the title', 'how to install docker on debian', hit('Install Docker Engine on Debian')],
    [
      'words in the text alone',
      'how to install docker on debian',
      hit('Setup', 'Docker for Debian 12, installed.'),
    ],
    [
      'words in the address alone',
      'docker debian install',
      hit('Guide', '', 'https://e.example/docker/debian'),
    ],
    ['other endings', 'installing printers', hit('The installation of a printer')],
    ['a shorter word', 'debugging goroutines deadlocks', hit('Debug a deadlock')],
    ['a compound', 'Elster Nestbau Anleitung', hit('Nest und Elster')],
    ['accents and capitals', 'CAFÉ München Öffnungszeiten', hit('Cafe in Muenchen', 'Offen')],
    ['signs within words', 'wifi e-mail setup', hit('Wi-Fi and email')],
    ['a slip of the fingers', 'pyhton decoratr tutorial', hit('Python decorators')],
    ['a swapped pair', 'kubenretes ingess', hit('Kubernetes ingress')],
    ['a name', 'angela merkel autobiography', hit('Freedom', 'The memoirs of Angela Merkel.')],
    [
      'the end of a compound',
      'wie baut die Elster ein Nest im Baum',
      hit('Elsternest', 'In einem Apfelbaum.'),
    ],
    [
      'one long word',
      'k8s pod crashloopbackoff',
      hit('Troubleshooting CrashLoopBackOff', 'A container ends.'),
    ],
    ['a title without text', 'best soil for tomato seedlings', hit('Tomato', '')],
    ['Chinese', '喜鹊怎么筑巢', hit('喜鹊的巢', '筑巢的方法')],
    ['Japanese', 'カササギの巣の作り方', hit('カササギ', '巣について')],
    ['Korean', '까치 둥지 짓는 방법', hit('까치의 둥지')],
    ['Thai', 'วิธีทำรังของนก', hit('รังนก')],
    ['Russian', 'как сорока строит гнездо', hit('Гнёзда сорок')],
    ['Arabic', 'كيف تبني العقعق عشها', hit('عش العقعق')],
    [
      'a long question',
      `${'where '.repeat(3)}does the error of my build with vite and react come from, it says module not found in dist`,
      hit('Vite: module not found', 'A build error'),
    ],
  ])('%s', (_, text, right) => {
    expect(isJunk(text, [...others, right])).toBe(false);
  });

  test.each<[string, string, Partial<SearchQuery>, (readonly SearchHit[])?]>([
    ['one telling word', 'how to crochet', {}],
    ['nothing but operators', 'site:debian.org filetype:pdf -docker', {}],
    ['pictures', 'red fox snow', { category: 'images' }],
    ['a site that the caller has named', 'docker install guide', { site: ['docs.docker.com'] }],
    ['a language that the caller has named', 'how to build a bird house', { language: 'de' }],
    ['English results of a German question', 'wie baut die Elster ihr Nest und warum', {}],
    ['English results of a question of no plain language', 'Elster Brutpflege Jungvögel', {}],
    ['English results of a Russian question', 'как сорока строит гнездо', {}],
    ['two results', 'how to install docker on debian', {}, JUNK.slice(0, 2)],
    ['no results', 'how to install docker on debian', {}, []],
  ])('%s', (_, text, more, hits = JUNK) => {
    expect(isJunk(text, hits, more)).toBe(false);
  });

  test('for any question one result with half of the words, in any form, keeps all results', () => {
    const words = 'magpie nesting kettle storage violin repair orchid winter harbour lantern'.split(' ');
    const forms: ((word: string) => string)[] = [
      (word) => word,
      (word) => word.toUpperCase(),
      (word) => `${word}s`,
      (word) => `${word.slice(0, 2)}${word[3]}${word[2]}${word.slice(4)}`,
      (word) => `sub${word}`,
    ];
    for (let seed = 0; seed < 500; seed++) {
      const random = randomOf(seed);
      const asked = words.toSorted(() => random() - 0.5).slice(0, 2 + Math.floor(random() * 5));
      const kept = asked.slice(0, Math.ceil(asked.length / 2));
      const shown = kept.map((word) =>
        (forms[Math.floor(random() * forms.length)] as (one: string) => string)(word),
      );
      const text = `what is the ${asked.join(' ')}`;
      expect(
        isJunk(text, [...JUNK, hit('Found', `A page of ${shown.join(' and ')}.`)]),
        `${text}: ${shown}`,
      ).toBe(false);
    }
  });
});
