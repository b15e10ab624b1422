import { expect, test } from 'vitest';
import { readHtml } from '../../../src/browse/readers/html.ts';

const read = (body: string, url = 'https://site.example/a', head = '<title>Mills at sea</title>') =>
  readHtml(`<html><head>${head}</head><body>${body}</body></html>`, url).markdown;
const sentence = (subject: string) =>
  `A tide mill grinds ${subject} by the rise and fall of the sea, which fills a pond and drives a wheel.`;

const SLUGS =
  `related-work related navigation pagination metadata cookies comments share sharing subscribe signup login search-form
  toolbar footer sidebar menu newsletter popup modal tooltip advertising sponsors recommendations recommended similar read-more
  trending popular latest teaser author biography byline tags categories topics keywords ratings votes polls surveys printing
  utility feedback advertisement disclaimer timestamps dates labels published updated credits captions attribution replies responses
  copyright paywall captcha breadcrumbs next-story social donations consent`.split(/\s+/);

test.each(SLUGS)('a chapter whose id is derived from its heading, %s, is read', (slug) => {
  const title = slug.replaceAll('-', ' ');
  const sections = ['wheat', 'rye', 'oats']
    .map(
      (one) =>
        `<section id="${one}"><h2>${one}</h2><p>${sentence(one)}</p><p>${sentence(`more ${one}`)}</p></section>`,
    )
    .join('');
  const named = `<section id="${slug}"><h2>${title}</h2><p>${sentence('maize')}</p><p>${sentence('rice')}</p></section>`;
  const markdown = read(`<main><h1>Mills at sea</h1>${sections}${named}</main>`);
  expect(markdown).toContain(sentence('maize'));
  expect(markdown).toContain(sentence('rice'));
});
