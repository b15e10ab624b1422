import { describe, expect, test } from 'vitest';
import { describePlan } from '../../src/automation/plans/plan.ts';
import { readTask } from '../../src/automation/reading/read-task.ts';
import { readSentences, shortForm, verdictOf } from '../helpers/task-sentences.ts';

/** What people write, and what they mean: pages, what is extracted, when it is sent, and where to. */
test.each([
  [
    'email ada@mail.example every hour with the prices on https://shop.example/x',
    'https://shop.example/x',
    'prices',
    'always',
    'ada@mail.example',
  ],
  [
    'Every 5 minutes check https://status.example.com and notify me if it says "outage"',
    'https://status.example.com/',
    'text',
    'word outage',
    'platform',
  ],
  [
    'Check https://a.example/x, https://b.example/y and https://c.example/z for new links and send them to https://hooks.example.com/in',
    'https://a.example/x https://b.example/y https://c.example/z',
    'links',
    'new',
    'https://hooks.example.com/in',
  ],
  [
    'Scrape https://news.ycombinator.com/ daily and save the headlines to my knowledge base',
    'https://news.ycombinator.com/',
    'headings',
    'always',
    'knowledge',
  ],
  [
    'Monitor https://github.com/nodejs/node/releases for new releases',
    'https://github.com/nodejs/node/releases',
    'items',
    'new',
    'platform',
  ],
  [
    'Tell me when https://shop.example/ps5 is back in stock',
    'https://shop.example/ps5',
    'text',
    'stock',
    'platform',
  ],
  [
    'Tell me when "out of stock" disappears from https://shop.example/ps5',
    'https://shop.example/ps5',
    'text',
    'gone out of stock',
    'platform',
  ],
  [
    'Let me know if https://shop.example/ps5 no longer says "sold out"',
    'https://shop.example/ps5',
    'text',
    'gone sold out',
    'platform',
  ],
  [
    'Track the price of https://shop.example/gpu; alert me at https://hooks.slack.com/services/T0/B0/x if it falls under $499.99.',
    'https://shop.example/gpu',
    'prices',
    'below 499.99',
    'https://hooks.slack.com/services/T0/B0/x',
  ],
  [
    'Post the element ".price-now" of https://shop.example/x to https://hooks.example.com/in when it changes',
    'https://shop.example/x',
    'selector .price-now',
    'change',
    'https://hooks.example.com/in',
  ],
  [
    'Get the text of #main on https://site.example/page every run',
    'https://site.example/page',
    'selector #main',
    'always',
    'platform',
  ],
  [
    'extract h2.title from https://site.example/page',
    'https://site.example/page',
    'selector h2.title',
    'always',
    'platform',
  ],
  [
    'extract all <h2> from https://site.example/page',
    'https://site.example/page',
    'selector h2',
    'always',
    'platform',
  ],
  [
    'Beobachte https://shop.example/x und schreib mir an ada@mail.example, sobald der Preis unter 1.299,00 € fällt',
    'https://shop.example/x',
    'prices',
    'below 1299',
    'ada@mail.example',
  ],
  [
    'Sag mir Bescheid, wenn sich auf https://amt.example/termine etwas ändert',
    'https://amt.example/termine',
    'text',
    'change',
    'platform',
  ],
  [
    'Speichere jede Stunde die Überschriften von https://zeitung.example in meiner Wissensdatenbank',
    'https://zeitung.example/',
    'headings',
    'always',
    'knowledge',
  ],
  [
    'Benachrichtige mich, wenn auf https://kino.example "Premiere" steht',
    'https://kino.example/',
    'text',
    'word Premiere',
    'platform',
  ],
  [
    'Surveille https://boutique.example/x et préviens-moi par e-mail à ada@mail.example si le prix passe sous 50 €',
    'https://boutique.example/x',
    'prices',
    'below 50',
    'ada@mail.example',
  ],
  [
    'Enregistre les titres de https://journal.example dans ma base de connaissances toutes les 15 minutes',
    'https://journal.example/',
    'headings',
    'always',
    'knowledge',
  ],
  [
    'Avertis-moi quand https://mairie.example/avis change',
    'https://mairie.example/avis',
    'text',
    'change',
    'platform',
  ],
  [
    'Avísame cuando el precio de https://tienda.example/x baje de 30 euros',
    'https://tienda.example/x',
    'prices',
    'below 30',
    'platform',
  ],
  [
    'Guarda los titulares de https://diario.example en mi base de conocimientos cada hora',
    'https://diario.example/',
    'headings',
    'always',
    'knowledge',
  ],
  [
    'Vigila https://tienda.example/x y envía a https://hooks.example.com/in cuando aparezca "agotado"',
    'https://tienda.example/x',
    'text',
    'word agotado',
    'https://hooks.example.com/in',
  ],
  [
    'Watch https://shop.example/x?color=red&size=10. Tell me when price is less than 1,000',
    'https://shop.example/x?color=red&size=10',
    'prices',
    'below 1000',
    'platform',
  ],
  [
    'Watch (https://en.wikipedia.org/wiki/Magpie_(bird)) for changes',
    'https://en.wikipedia.org/wiki/Magpie_(bird)',
    'text',
    'change',
    'platform',
  ],
  ['Watch “https://shop.example/x”, please', 'https://shop.example/x', 'text', 'change', 'platform'],
  [
    'see https://shop.example/x; then https://shop.example/y!',
    'https://shop.example/x https://shop.example/y',
    'text',
    'always',
    'platform',
  ],
  ['Look at <https://shop.example/x>.', 'https://shop.example/x', 'text', 'always', 'platform'],
  [
    'Watch [the shop](https://shop.example/x) for changes',
    'https://shop.example/x',
    'text',
    'change',
    'platform',
  ],
  [
    'Überwache https://münchen.example/straße auf Änderungen',
    'https://xn--mnchen-3ya.example/stra%C3%9Fe',
    'text',
    'change',
    'platform',
  ],
  ['watch münchen.de for changes', 'https://xn--mnchen-3ya.de/', 'text', 'change', 'platform'],
  [
    'watch shop.example.com/deals when it goes above 100',
    'https://shop.example.com/deals',
    'text',
    'above 100',
    'platform',
  ],
  [
    'When the temperature on https://wetter.example/berlin rises above 30 degrees, call https://api.example.com/v1/alarm',
    'https://wetter.example/berlin',
    'text',
    'above 30',
    'https://api.example.com/v1/alarm',
  ],
  [
    'Notify https://api.example.com/alarm when https://site.example/status changes',
    'https://site.example/status',
    'text',
    'change',
    'https://api.example.com/alarm',
  ],
  [
    'Send an alert to ops@corp.example if https://site.example/health does not contain "ok"',
    'https://site.example/health',
    'text',
    'gone ok',
    'ops@corp.example',
  ],
  [
    'If "ERROR" appears on https://site.example/log then POST https://hooks.example.com/e',
    'https://site.example/log',
    'text',
    'word ERROR',
    'https://hooks.example.com/e',
  ],
  [
    'Check if bitcoin price on https://coin.example/btc is over 100k',
    'https://coin.example/btc',
    'prices',
    'above 100000',
    'platform',
  ],
  [
    'Alert me when the number of stars of https://github.com/a/b exceeds 5000',
    'https://github.com/a/b',
    'text',
    'above 5000',
    'platform',
  ],
  [
    'Tell me when the iPhone 15 on https://shop.example/iphone costs less than 700 EUR',
    'https://shop.example/iphone',
    'prices',
    'below 700',
    'platform',
  ],
  [
    'Tell me when the price of the Framework Laptop 13 falls below 900',
    '',
    'prices',
    'below 900',
    'platform',
  ],
  [
    'Find the cheapest flight from Berlin to Rome and tell me when it is below 80 euro',
    '',
    'prices',
    'below 80',
    'platform',
  ],
  ['Watch the weather in Oslo', '', 'text', 'change', 'platform'],
  ['Monitor EUR/USD exchange rate and tell me when it is above 1.20', '', 'prices', 'above 1.2', 'platform'],
  ['do something', '', 'text', 'always', 'platform'],
  [
    'Collect job offers from https://jobs.example/list with links and prices under 20',
    'https://jobs.example/list',
    'prices',
    'below 20',
    'platform',
  ],
  [
    'Get me all links on https://site.example that mention "magpie"',
    'https://site.example/',
    'links',
    'word magpie',
    'platform',
  ],
  [
    'Save https://site.example/a and https://site.example/b to my knowledge base when they change',
    'https://site.example/a https://site.example/b',
    'text',
    'change',
    'knowledge',
  ],
  [
    'Store new articles from https://blog.example/ in kb',
    'https://blog.example/',
    'items',
    'new',
    'knowledge',
  ],
  ['Check https://site.example every 30 seconds', 'https://site.example/', 'text', 'always', 'platform'],
  ['once a day fetch https://site.example', 'https://site.example/', 'text', 'always', 'platform'],
  [
    'Download https://site.example/file.pdf whenever it is updated and mail to bob@mail.example',
    'https://site.example/file.pdf',
    'text',
    'change',
    'bob@mail.example',
  ],
  ['Watch http://192.168.0.1/status for changes', 'http://192.168.0.1/status', 'text', 'change', 'platform'],
  ['watch localhost:8080 for changes', 'http://localhost:8080/', 'text', 'change', 'platform'],
  ['watch 10.0.0.5/admin for changes', 'http://10.0.0.5/admin', 'text', 'change', 'platform'],
  [
    'Watch https://shop.example/x until price < 20',
    'https://shop.example/x',
    'prices',
    'below 20',
    'platform',
  ],
  [
    'Watch https://shop.example/x: price > 1.5 million',
    'https://shop.example/x',
    'prices',
    'above 1500000',
    'platform',
  ],
  [
    'price at https://shop.example/x between 10 and 20',
    'https://shop.example/x',
    'prices',
    'all',
    'platform',
  ],
  ['https://shop.example/x below 5% discount', 'https://shop.example/x', 'text', 'below 5', 'platform'],
  [
    'Tell me when the discount at https://shop.example/x is above 20%',
    'https://shop.example/x',
    'text',
    'above 20',
    'platform',
  ],
  ['watch https://x.example for "50% off"', 'https://x.example/', 'text', 'word 50% off', 'platform'],
  [
    'Watch https://shop.example/x and tell me when the price changes by more than 10',
    'https://shop.example/x',
    'prices',
    'move 10',
    'platform',
  ],
  [
    '監視して https://shop.example/x 変更があったら https://hooks.example.com/in に送信',
    'https://shop.example/x',
    'text',
    'change',
    'https://hooks.example.com/in',
  ],
  [
    '监控 https://shop.example/x 价格低于 100 时通知 ada@mail.example',
    'https://shop.example/x',
    'prices',
    'below 100',
    'ada@mail.example',
  ],
  [
    'Keep an eye on https://a.example/b, webhook https://h.example/c',
    'https://a.example/b',
    'text',
    'change',
    'https://h.example/c',
  ],
  [
    'Forward changes of https://a.example/b to my Slack https://hooks.slack.com/services/x/y/z',
    'https://a.example/b',
    'text',
    'change',
    'https://hooks.slack.com/services/x/y/z',
  ],
  [
    'ping https://discord.com/api/webhooks/1/abc when https://a.example changes',
    'https://a.example/',
    'text',
    'change',
    'https://discord.com/api/webhooks/1/abc',
  ],
  [
    'whenever https://a.example/version is not 1.2.3 tell me',
    'https://a.example/version',
    'text',
    'change',
    'platform',
  ],
  [
    'Send me the titles of https://a.example/b every morning at 8',
    'https://a.example/b',
    'headings',
    'always',
    'platform',
  ],
  [
    'Summarize https://a.example/b every day and send it to ada@mail.example',
    'https://a.example/b',
    'text',
    'always',
    'ada@mail.example',
  ],
  ['https://a.example/b', 'https://a.example/b', 'text', 'always', 'platform'],
  ['Sag mir, wenn der Preis des Fairphone 5 unter 400 € fällt', '', 'prices', 'below 400', 'platform'],
  [
    'Préviens-moi quand le prix de la PlayStation 5 passe sous 400 euros',
    '',
    'prices',
    'below 400',
    'platform',
  ],
  ['Avísame cuando el precio del iPhone 15 baje de 600 euros', '', 'prices', 'below 600', 'platform'],
  ['Find an email address on https://x.example', 'https://x.example/', 'text', 'always', 'platform'],
  ['Watch the EUR/USD exchange rate', '', 'prices', 'change', 'platform'],
  [
    'notify me every hour with the prices on https://x.example/a',
    'https://x.example/a',
    'prices',
    'always',
    'platform',
  ],
  ['Tell me of changes to https://x.example/a', 'https://x.example/a', 'text', 'change', 'platform'],
  [
    'Tell me about updates to https://x.example/a and https://x.example/b',
    'https://x.example/a https://x.example/b',
    'text',
    'change',
    'platform',
  ],
  [
    'Post all changes of https://x.example/a to https://my.example/c',
    'https://x.example/a',
    'text',
    'change',
    'https://my.example/c',
  ],
  ['send me the price at https://x.example/a', 'https://x.example/a', 'prices', 'always', 'platform'],
  [
    'Tell me when https://x.example/file is larger than 20 kb',
    'https://x.example/file',
    'text',
    'above 20',
    'platform',
  ],
  ['Save it to Magpie: https://x.example/a', 'https://x.example/a', 'text', 'always', 'knowledge'],
  [
    'Email me at ada@mail.example when https://x.example/a changes',
    'https://x.example/a',
    'text',
    'change',
    'ada@mail.example',
  ],
  [
    'When Chrome 1.2.3.4 is out at https://x.example/a',
    'https://x.example/a',
    'text',
    'word Chrome 1.2.3.4',
    'platform',
  ],
  [
    'Check socket.io docs at https://socket.io/docs for changes',
    'https://socket.io/docs',
    'text',
    'change',
    'platform',
  ],
  [
    'Track https://x.example/a, https://x.example/a#top and HTTPS://X.example/a',
    'https://x.example/a',
    'text',
    'change',
    'platform',
  ],
  ['watch http://user:pw@x.example/a', 'http://user:pw@x.example/a', 'text', 'change', 'platform'],
  [
    'watch https://x.example/a?token=abc&b=1), then',
    'https://x.example/a?token=abc&b=1',
    'text',
    'change',
    'platform',
  ],
  ['watch https://x.example/a…', 'https://x.example/a', 'text', 'change', 'platform'],
  ['watch https://x.example/a—daily', 'https://x.example/a', 'text', 'change', 'platform'],
  [
    'Watch shop.example.com/a and post to my.example.com/in when it changes',
    'https://shop.example.com/a',
    'text',
    'change',
    'https://my.example.com/in',
  ],
  [
    'Watch https://shop.example/a and post to localhost:8080/in',
    'https://shop.example/a',
    'text',
    'change',
    'http://localhost:8080/in',
  ],
  [
    'Tell me when version 1.2.3.4 appears on https://shop.example/a',
    'https://shop.example/a',
    'text',
    'word 1.2.3.4',
    'platform',
  ],
  [
    'Tell me when the word recall appears on https://shop.example/a',
    'https://shop.example/a',
    'text',
    'word recall',
    'platform',
  ],
  [
    'Tell me when something appears on https://shop.example/a',
    'https://shop.example/a',
    'text',
    'change',
    'platform',
  ],
  [
    'Sag mir, wenn ausverkauft auf https://shop.example/a verschwindet',
    'https://shop.example/a',
    'text',
    'gone ausverkauft',
    'platform',
  ],
  [
    'Tell me when soldout disappears from https://shop.example/a',
    'https://shop.example/a',
    'text',
    'gone soldout',
    'platform',
  ],
  [
    'webhook=https://my.example/in page=https://shop.example/x',
    'https://shop.example/x',
    'text',
    'always',
    'https://my.example/in',
  ],
  [
    'Use https://my.example/in as webhook for https://shop.example/x',
    'https://shop.example/x',
    'text',
    'always',
    'https://my.example/in',
  ],
  [
    'Let https://my.example/in know when https://shop.example/x changes',
    'https://shop.example/x',
    'text',
    'change',
    'https://my.example/in',
  ],
  [
    'Wenn der Preis auf https://laden.example/x mehr als 100 € beträgt, rufe https://api.example/a auf',
    'https://laden.example/x',
    'prices',
    'above 100',
    'https://api.example/a',
  ],
  [
    'Poste les liens de https://site.example/x vers https://mon.example/in',
    'https://site.example/x',
    'links',
    'always',
    'https://mon.example/in',
  ],
  [
    'Envía los precios de https://tienda.example/x a https://mi.example/in cada hora',
    'https://tienda.example/x',
    'prices',
    'always',
    'https://mi.example/in',
  ],
  [
    'Check https://shop.example/x and https://shop.example/y, post to https://my.example/in if any price is below $5',
    'https://shop.example/x https://shop.example/y',
    'prices',
    'below 5',
    'https://my.example/in',
  ],
  [
    'POST to https://my.example/in the price of the Framework laptop',
    '',
    'prices',
    'always',
    'https://my.example/in',
  ],
])('%s', (task, pages, take, when, send) => {
  const reading = readTask(task);
  const { extract, when: then, send: to } = reading;
  expect(reading.pages.join(' ')).toBe(pages);
  expect('selector' in extract ? `selector ${extract.selector}` : extract.kind).toBe(take);
  const what = 'word' in then ? then.word : 'value' in then ? String(then.value) : '';
  expect(`${then.kind} ${what}`.trim()).toBe(when);
  expect('url' in to ? to.url : 'to' in to ? to.to : to.kind).toBe(send);
  const words = describePlan({ task, ...reading });
  expect(words).toHaveLength(5);
  expect(words.join()).not.toMatch(/undefined|\[object/);
});

test.each([
  'Tell me when a new article appears on https://x.example/a',
  'Watch https://x.example/a and tell me when something new appears',
  'Notify me when new items appear at https://x.example/a',
  'Watch https://x.example/a and tell me when anything else shows up',
  'Sag mir, wenn auf https://x.example/a ein neuer Artikel erscheint',
  'Préviens-moi quand un nouvel article apparaît sur https://x.example/a',
  'Avísame cuando aparezca un nuevo artículo en https://x.example/a',
])('%s: the trigger is a new item or a change, and not a word', (task) => {
  const { when, unread } = readTask(task);
  expect(when.kind).toBe(
    /new(?:er)? (?:article|items|Artikel)|nouvel|nuevo/.test(task.replace('neuer', 'newer'))
      ? 'new'
      : 'change',
  );
  expect(unread).toEqual([]);
});

test.each([
  ['Post https://x.example/a to https://y.example/in', 'https://x.example/a', 'https://y.example/in'],
  ['Watch https://x.example/ref/hooks and tell me when it changes', 'https://x.example/ref/hooks', ''],
  [
    'Fetch https://x.example/a and send it to https://y.example/hook',
    'https://x.example/a',
    'https://y.example/hook',
  ],
  ['Watch http://[::1]', 'http://[::1]/', ''],
  ['Watch [it](http://[2606:4700::1111]:8080).', 'http://[2606:4700::1111]:8080/', ''],
])('%s: the page of the plan is %s', (task, page, hook) => {
  const { pages, send } = readTask(task);
  expect(pages).toEqual([page]);
  expect(send.kind === 'webhook' ? send.url : '').toBe(hook);
});

test.each([
  ['Save https://x.example/a to my knowledge base when "bob@mail.example" appears', 'knowledge'],
  ['Tell me when bob@mail.example appears on https://x.example/a', 'platform'],
  ['Mail ada@mail.example when bob@mail.example appears on https://x.example/a', 'email'],
])('%s: a mailbox in the trigger is not a recipient', (task, kind) => {
  const { when, send, notes } = readTask(task);
  expect([when, notes]).toEqual([{ kind: 'word', word: 'bob@mail.example' }, []]);
  expect(send).toEqual(kind === 'email' ? { kind, to: 'ada@mail.example' } : { kind });
});

describe('when to run', () => {
  test.each([
    ['Check https://x.example/ every 5 minutes', { every: 5 }],
    ['email ada@mail.example hourly with https://x.example/', { every: 60 }],
    ['Every 2 hours fetch https://x.example/', { every: 120 }],
    ['once a day fetch https://x.example/', { at: [540] }],
    ['Hole alle 5 Minuten https://x.example/', { every: 5 }],
    ['Hole täglich https://x.example/', { at: [540] }],
    ['Regarde https://x.example/ toutes les heures', { every: 60 }],
    ['Vigila https://x.example/ cada hora', { every: 60 }],
    ['Check https://x.example/ every 15 minutes', { every: 15 }],
    ['Check https://x.example/ every fifteen minutes', { every: 15 }],
    ['Regarde https://x.example/ toutes les 15 minutes', { every: 15 }],
    ['Hole alle 15 Minuten https://x.example/', { every: 15 }],
    ['Check https://x.example/ every time', undefined],
    ['the everyday news of https://x.example/', undefined],
  ])('%s', (task, runs) => {
    const reading = readTask(task);
    expect(reading.runs).toEqual(runs);
    expect(reading.notes).toEqual([]);
  });

  test.each([
    ['Check https://x.example/ every 30 seconds', '"30 seconds" is not available: it runs every minute'],
    ['Check https://x.example/ every 45 minutes', '"45 minutes" is not available: it runs every 30 minutes'],
  ])('%s: the answer names the schedule that is used instead', (task, note) =>
    expect(readTask(task).notes).toEqual([note]),
  );
});

describe('unsupported parts are reported', () => {
  test.each([
    ['post https://x.example/ to https://h.example/in when pigs fly', 'pigs fly'],
    ['watch https://x.example/ and tell me when the sky is blue', 'sky is blue'],
    ['alert me when https://x.example/ says the event is over', 'says'],
    ['watch https://x.example/ and translate it', 'translate'],
    ['tell me when the price at https://x.example/ does not change', 'does not change'],
  ])('%s: the part that is not understood is %s', (task, words) => {
    const { unread, unreadWords } = readTask(task);
    expect(unreadWords.join()).toContain(words);
    expect(unread.join()).toContain('not understood, so not part of it: ');
  });

  test('a typing mistake is corrected, and the answer names the correction', () => {
    const { when, unread } = readTask('Tell me when https://x.example/ chnages');
    expect(when).toEqual({ kind: 'change' });
    expect(unread).toEqual(['"chnages" was read as "changes"']);
  });

  test.each([
    'Tell me when https://x.example/ changes',
    'Watch https://x.example/ and tell me if it is different',
    'Beobachte https://x.example/ als Webhook',
    'Tell me when the iPhone-15 at https://x.example/ is below 500',
  ])('nothing is reported as missing for %s', (task) => expect(readTask(task).unread).toEqual([]));

  test.each([
    ['post to https://h.example/in and https://i.example/in', 'https://i.example/in'],
    ['post to https://h.example/in, and to https://hooks.i.example/in', 'https://hooks.i.example/in'],
    ['post to https://h.example/in and mail ada@mail.example', 'ada@mail.example'],
    ['mail ada@mail.example and bob@mail.example', 'bob@mail.example'],
  ])('%s: the second recipient is ignored', (to, second) => {
    const { pages, notes } = readTask(`Watch https://x.example/a and ${to} when it changes`);
    expect(pages).toEqual(['https://x.example/a']);
    expect(notes).toEqual([expect.stringContaining(`nothing is sent to ${second}`)]);
  });

  test.each([
    'Watch https://x.example/ and email me when the price drops below 20 euros',
    'Let me know by e-mail when https://x.example/ changes',
    'Melde mir per E-Mail, wenn sich https://x.example/ ändert',
    'Préviens-moi par mail si https://x.example/ change',
    'Avísame por correo cuando https://x.example/ cambie',
  ])('%s: a task without an address to write to is refused', (task) => {
    expect(readTask(task).turning).toEqual([{ kind: 'mail', words: expect.any(String) }]);
  });
});

test.each([
  ['Sag mir, wenn der Preis des Fairphone 5 unter 400 € fällt', 'Preis Fairphone 5'],
  ['Préviens-moi quand le prix de la PlayStation 5 passe sous 400 euros', 'prix PlayStation 5'],
  ['Avísame cuando el precio del iPhone 15 baje de 600 euros', 'precio iPhone 15'],
  ['Watch the weather in Oslo every hour', 'weather Oslo'],
  [
    'Find the cheapest flight from Berlin to Rome and tell me when it is below 80 euro',
    'cheapest flight Berlin Rome',
  ],
  ['Watch the EUR/USD exchange rate', 'EUR USD exchange rate'],
])('%s: the subject of the search is %s', (task, subject) => expect(readTask(task).subject).toBe(subject));

/** Sentences of ten languages and Japanese with their plans: see the heads of the files. */
const WRITTEN = readSentences(new URL('sentences.txt', import.meta.url));
const BLIND = readSentences(new URL('sentences-blind.txt', import.meta.url));
const MENDED = readSentences(new URL('sentences-mended.txt', import.meta.url));

test('there are 200 sentences and 141 sentences of other users, in every language', () => {
  expect([WRITTEN.length, BLIND.length]).toEqual([200, 141]);
  for (const sentences of [WRITTEN, BLIND]) {
    const languages = new Set(sentences.map(({ language }) => language));
    for (const language of 'en de fr es it pt nl pl ru ja zh'.split(' '))
      expect(languages).toContain(language);
  }
});

test.each([...WRITTEN, ...MENDED])('$language: $task', ({ task, plan, unread }) => {
  const reading = readTask(task);
  expect(shortForm(reading)).toBe(plan);
  expect(reading.unreadWords.filter((words) => !unread.some((part) => words.includes(part)))).toEqual([]);
  for (const part of unread) expect(reading.unreadWords.join(' / ')).toContain(part);
});

test.each(BLIND)(
  'another user, $language: $task: the plan is right, or its answer names the unread part',
  (sentence) => {
    expect(verdictOf(sentence, readTask(sentence.task))).not.toBe('silent');
  },
);

test('86 sentences of other users are read correctly', () => {
  const right = BLIND.filter((sentence) => verdictOf(sentence, readTask(sentence.task)) === 'right');
  expect(right.length).toBeGreaterThanOrEqual(86);
});
