import { expect, test } from 'vitest';
import type { Page } from '../../../src/browse/reading/page.ts';
import { describePageTrouble } from '../../../src/browse/reading/page-trouble.ts';

const said = (title: string, markdown: string, html = '', kind: Page['kind'] = 'html') =>
  describePageTrouble({ url: 'https://site.example/x', title, markdown, kind }, Buffer.from(html));
const STORY = 'The harbour opened again after nine years of work. '.repeat(30);

test.each([
  ['Page not found | Harbour News', '# Sorry\n\nTry the search.'],
  ['Hafenblatt', '# Seite nicht gefunden\n\nZur Startseite'],
  ['Le Port', 'Page introuvable'],
  ['港のニュース', 'お探しのページが見つかりません'],
  ['Порт', '# Страница не найдена'],
  ['Harbour', '# Error 404\n\nTry the search.'],
  ['Dieser Artikel ist nicht mehr verfügbar', 'Zur Startseite'],
  ['Harbour News: 404', 'Go home.'],
])('an error page with status 200 is named: %s', (title, markdown) =>
  expect(said(title, markdown)).toContain('that it does not have'),
);

test.each([
  ['Before you continue', 'We use cookies.\n\nReject all\n\nAccept all'],
  ['Hafenblatt', 'Mit Werbung weiterlesen\n\nAlle akzeptieren'],
  ['Le Port', 'Continuer sans accepter\n\nTout accepter'],
])('a form for consent is named: %s', (title, markdown) =>
  expect(said(title, markdown)).toContain('form for consent'),
);

test.each([
  [`${STORY}\n\nSubscribe to continue reading.`, ''],
  [`${STORY}\n\nUm weiterzulesen, brauchen Sie ein Abo.`, ''],
  [`${STORY}\n\nRéservé aux abonnés`, ''],
  [
    STORY,
    '<script type="application/ld+json">{"@type":"NewsArticle","isAccessibleForFree": "False"}</script>',
  ],
])('a story whose rest is for subscribers is named', (markdown, html) =>
  expect(said('Harbour', markdown, html)).toContain('subscribers'),
);

test.each([
  ['How to write a 404 page', STORY, ''],
  ['Harbour', STORY, '<script type="application/ld+json">{"isAccessibleForFree":true}</script>'],
  ['Cookies', `${STORY}\n\nMany sites have a button "accept all". ${STORY}`, ''],
  ['Harbour', 'A short note on boats.', ''],
  ['Peugeot 404', 'A car of 1960.', ''],
  ['Order 140423', 'Paid.', ''],
  ['Fixes', '# [Fix parser](https://git.example/issues/404)\n\nDone.', ''],
  ['Not Found is a band', 'It plays on Friday.', ''],
  ['Muziek', 'Het C akkoord is het eerste dat je leert.', ''],
])('nothing is said of an ordinary page: %s', (title, markdown, html) =>
  expect(said(title, markdown, html)).toBeUndefined(),
);

test('a plain text that speaks of an error is itself', () =>
  expect(said('', 'page not found', '', 'text')).toBeUndefined());
