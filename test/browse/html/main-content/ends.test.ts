import { expect, test } from 'vitest';
import { readHtml } from '../../../../src/browse/readers/html.ts';

const sentence = (subject: string) =>
  `A tide mill grinds ${subject} by the rise and fall of the sea, which fills a pond and drives a wheel.`;
const prose = Array.from({ length: 6 }, (_, i) => `<p>${sentence(`grain ${i}`)}</p>`).join('');
/** As rules read it, without the trees. */
const article = (after: string, amid = '', before = '') =>
  readHtml(
    `<html><head><title>Mills at sea</title></head><body><main><article><h1>Mills at sea</h1>${before}${prose}${amid}${prose}${after}</article></main></body></html>`,
    'https://mills.example/sea',
    false,
    () => undefined,
  ).markdown;

test.each([
  ['a request for support', '<p>Please consider supporting our work. <a href="/z">Zulu</a> thanks you.</p>'],
  ['an invitation to follow', '<p>Zulu is here: follow us on <a href="https://x.example/z">X</a>!</p>'],
  ['an invitation to a letter', '<p>Sign up for the Zulu newsletter <a href="/n">today</a>!</p>'],
  ['a label without anything below', '<p><b>Weitere Informationen</b></p><p><b>Kontakt</b></p>'],
  ['the sign of an agency', '<p>zu/ZULU</p>'],
  ['a date of the last change', '<p>Letzte Änderung 14.02.2019</p>'],
  ['a way back', '<p><a href="/">zurück zur Zulu-Liste</a></p>'],
  ['a word of no comments', '<p class="nocomments">Bisher keine Kommentare</p>'],
])('%s is no end of a text', (_, after) => {
  const text = article(after);
  expect(text.endsWith(sentence('grain 5'))).toBe(true);
});

test.each([
  ['the source of a picture', '<p>Titelbild: Zulu Press</p>'],
  ['a link to another text', '<p><a href="/z">Lesen Sie hier: Zulu und das Meer</a></p>'],
  ['a word on links that pay', '<p>Anzeige, enthält Affiliate Links von Zulu</p>'],
  ['a button of a picture', '<div><span>Bild anzeigen</span> <span>Bild schließen</span></div>'],
  ['a box of words in a figure', '<figure><img src="/m.png" alt=""><span>Zulu at the mill</span></figure>'],
])('%s is no text', (_, amid) => {
  const text = article('', amid).replace(/!\[[^\]]*\]\([^)]*\)/g, '');
  expect(text).not.toMatch(/Zulu|Bild/);
});

test.each([
  '<p>Last year they asked those in the harbour to support our mills, as <a href="/m">Ann</a> wrote.</p>',
  '<p>A newsletter on tide mills is read <a href="/m">by thousands</a>.</p>',
  '<p>FIN</p>',
  '<p>Weitere Informationen stehen im Museum.</p>',
])('the last words of a text stay: %s', (after) => {
  expect(article(after)).toContain(after.replace(/<[^>]*>/g, '').slice(0, 20));
});

test('a table in a box of a figure stays', () => {
  expect(
    article('', '<figure><div>\n<table><tr><td>Wheel</td><td>Two</td></tr></table></div></figure>'),
  ).toContain('Wheel');
});
