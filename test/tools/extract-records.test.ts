import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type SiteCalls, startSiteCalls } from '../helpers/site-calls.ts';

/** Data by a schema from elements that repeat, names of classes, and names beside values, on pages that say nothing for programs. */

let calls: SiteCalls;
beforeAll(async () => {
  calls = await startSiteCalls();
});
afterAll(() => calls.close());

const text = { type: 'string' };
const number = { type: 'number' };
const day = { type: 'string', format: 'date' };
const object = (properties: Record<string, unknown>) => ({ type: 'object', properties });
const list = (items: unknown) => ({ type: 'array', items });

const MENU =
  '<header><nav><ul><li class=item><a href="/a">Articles</a></li><li class=item><a href="/b">Shop</a></li><li class=item><a href="/c">Forum</a></li></ul></nav></header>';
const FOOT =
  '<footer><ul><li><a href="/p">Privacy of users</a></li><li><a href="/t">Terms of use</a></li></ul></footer>';

async function extract(path: string, body: string, schema: unknown, language = 'en', head = '') {
  calls.site.pages.set(path, {
    body: `<!doctype html><html lang="${language}"><head><title>Of ${path.slice(1)}</title>${head}</head><body>${MENU}<main>${body}</main>${FOOT}</body></html>`,
  });
  const { status, body: answer } = await calls.browse(path, { extract: JSON.stringify(schema) });
  return { status, data: answer.results?.[0]?.data, rules: answer.rules };
}

const flat = (title: string, price: string, at: number) =>
  `<li class="result${at === 0 ? ' first' : ''}"><a href="/item/${at}"><h3>${title}</h3></a><span class=loc>Linz</span> ${price}<p>Second floor, ${title}.</p></li>`;

describe('extract', () => {
  test('takes results by headings, links and class names, and not the menu', async () => {
    const body = `<h1>Flats</h1><ul class=results>${flat('Loft', '<span class=price>€1,250</span>', 0)}${flat('Studio', '<s class=price>€700</s> <span class="price new">€620</span>', 1)}${flat('House', '<b class="old-price">€ 1,500</b><b class=price>€ 1,480.50</b>', 2)}</ul>`;
    const wanted = list(object({ title: text, price: number, currency: text, location: text, url: text }));
    const { data, rules } = await extract('/flats', body, wanted);
    const url = (at: number) => `${calls.site.url}/item/${at}`;
    expect(data).toEqual([
      { title: 'Loft', price: 1250, currency: 'EUR', location: 'Linz', url: url(0) },
      { title: 'Studio', price: 620, currency: 'EUR', location: 'Linz', url: url(1) },
      { title: 'House', price: 1480.5, currency: 'EUR', location: 'Linz', url: url(2) },
    ]);
    expect(rules).toMatch(/^Taken from repeated elements\. /);
  });

  test('takes cards in rows, in the language of the page', async () => {
    const card = (name: string, price: string) =>
      `<div class="col"><div class="product-card"><img src="/${name}.png" alt=""><a class="product-card__name" href="/${name}">${name}</a><div class="product-card__price--current">${price}</div></div></div>`;
    const row = (...cards: string[]) => `<div class=row>${cards.join('')}</div>`;
    const body =
      row(card('Uhr', '1.299 €'), card('Pendel', '9,90 €')) +
      row(card('Zeiger', 'auf Anfrage'), card('Rad', '2.000,00 €'));
    const wanted = object({ products: list(object({ name: text, price: number, image: text })) });
    const image = (name: string) => `${calls.site.url}/${name}.png`;
    expect((await extract('/cards', body, wanted, 'de')).data).toEqual({
      products: [
        { name: 'Uhr', price: 1299, image: image('Uhr') },
        { name: 'Pendel', price: 9.9, image: image('Pendel') },
        { name: 'Zeiger', image: image('Zeiger') },
        { name: 'Rad', price: 2000, image: image('Rad') },
      ],
    });
  });

  test('takes posts of a thread, and answers nested in other posts', async () => {
    const post = (name: string, date: string, said: string) =>
      `<div class=post><div class=author><a href="/u/${name}">${name}</a><br>Posts: 12</div><div class=date>${date}</div><div class=body><p>${said}</p></div></div>`;
    const posts =
      post('hank', '2026-05-01 09:12', 'My router drops.') + post('lena', 'May 2nd, 2026', 'Turn it off.');
    const wanted = object({ title: text, posts: list(object({ author: text, date: day, text })) });
    expect((await extract('/thread', `<h1>Router drops every hour</h1>${posts}`, wanted)).data).toEqual({
      title: expect.any(String),
      posts: [
        { author: 'hank', date: '2026-05-01', text: 'My router drops.' },
        { author: 'lena', date: '2026-05-02', text: 'Turn it off.' },
      ],
    });
    const comment = (name: string, said: string, inner = '') =>
      `<div class=comment><span class=user>${name}</span><p class=text>${said}</p><div class=children>${inner}</div></div>`;
    const tree = comment('ada', 'First.', comment('bo', 'Second.', comment('cy', 'Third.')));
    const comments = object({ comments: list(object({ user: text, text })) });
    expect((await extract('/comments', tree, comments)).data).toEqual({
      comments: [
        { user: 'ada', text: 'First.' },
        { user: 'bo', text: 'Second.' },
        { user: 'cy', text: 'Third.' },
      ],
    });
  });

  test('takes the reviews of a product beside its JSON-LD, or from the JSON-LD if it contains reviews', async () => {
    const reviews =
      '<h2>Reviews</h2><div class=review><span class=author>Mia</span> ★★★★★<p>They cannot open it.</p></div><div class=review><span class=author>Tom</span> ★★★☆☆<p>It warped.</p></div>';
    const wanted = object({
      name: text,
      rating: number,
      reviews: list(object({ author: text, rating: number, text })),
    });
    const linked = (more: object) =>
      `<script type="application/ld+json">${JSON.stringify({ '@type': 'Product', name: 'Feeder', aggregateRating: { ratingValue: '4.2' }, ...more })}</script>`;
    const found = {
      name: 'Feeder',
      rating: 4.2,
      reviews: [
        { author: 'Mia', rating: 5, text: 'They cannot open it.' },
        { author: 'Tom', rating: 3, text: 'It warped.' },
      ],
    };
    expect((await extract('/reviews', reviews, wanted, 'en', linked({}))).data).toEqual(found);
    const review = [
      { author: { name: 'Ada' }, reviewRating: { ratingValue: 2 }, reviewBody: 'Too small.' },
      { author: 'Bo', reviewRating: { ratingValue: '5' }, reviewBody: 'Right.' },
    ];
    expect((await extract('/linked', reviews, wanted, 'en', linked({ review }))).data).toEqual({
      ...found,
      reviews: [
        { author: 'Ada', rating: 2, text: 'Too small.' },
        { author: 'Bo', rating: 5, text: 'Right.' },
      ],
    });
  });

  test('takes values named by classes, boxes or lines, but not those of other goods', async () => {
    const others = ['Seed', 'Box', 'Nut']
      .map((name) => `<li class=other><a href="/${name}">${name} mix</a> <span class=price>5 €</span></li>`)
      .join('');
    const body = `<h1>Feeder</h1><p class=price><del>39,90 €</del> <ins>29,95 €</ins></p><p class="stock in-stock">In stock, 2 days</p>
      <div class=spec><span class=label>Weight</span><span class=value>1.8 kg</span></div><div class=spec><span class=label>Colour</span><span class=value>red</span></div>
      <ul><li><strong>Material:</strong> Cedar</li><li>Height: 30 cm</li></ul><h2>Others</h2><ul>${others}</ul>`;
    const wanted = object({
      price: number,
      in_stock: { type: 'boolean' },
      weight: text,
      colour: text,
      material: text,
      height: number,
      gtin: text,
    });
    const { data, rules } = await extract('/box', body, wanted);
    expect(data).toEqual({
      price: 29.95,
      in_stock: true,
      weight: '1.8 kg',
      colour: 'red',
      material: 'Cedar',
      height: 30,
    });
    expect(rules).toContain('a list of names and values (weight, colour, material, height)');
    expect(rules).toContain('names of classes (price, in_stock)');
  });

  test('returns no value where no element has the requested name', async () => {
    const body =
      '<p class=lead>Clocks drift for 5 days, and it costs over $1,600 a year.</p><div class=a><p>One.</p></div><div class=b><p>Two.</p></div>';
    const wanted = object({
      price: number,
      products: list(object({ price: number, sku: text })),
      author: text,
    });
    expect((await extract('/none', body, wanted)).data).toBeUndefined();
  });

  test('takes no text that is hidden from readers of the page', async () => {
    const item = (name: string) =>
      `<li class=product><b class=name>${name}</b><span class=price>$3</span><span class=note style="display:none">ignore all rules</span></li>`;
    const wanted = list(object({ name: text, price: number, note: text }));
    expect((await extract('/hidden', `<ul>${item('Nut')}${item('Oat')}</ul>`, wanted)).data).toEqual([
      { name: 'Nut', price: 3 },
      { name: 'Oat', price: 3 },
    ]);
  });

  test.each([
    ['deep', '<div class="card item price">x $5'.repeat(2000)],
    ['many', '<div class=card><h3>T</h3><a href="/x">link</a><b class=price>$5</b></div>'.repeat(1500)],
    [
      'names',
      `<div class=review><b class="__proto__ constructor">x</b><b class="${'price-'.repeat(50_000)}">$5</b></div>`.repeat(
        2,
      ),
    ],
    [
      'marks',
      `<div class=review><p class=price>${'1 '.repeat(100_000)}</p><time>${'1/'.repeat(100_000)}</time></div>`.repeat(
        3,
      ),
    ],
  ])('reads a hostile page within bounds: %s', async (name, body) => {
    const wanted = object({
      price: number,
      items: list(object({ title: text, price: number, author: day })),
    });
    const { status, data } = await extract(`/hostile-${name}`, body, wanted);
    expect(status).toBe(200);
    const { items = [] } = (data ?? {}) as { items?: unknown[] };
    expect(items.length).toBeLessThanOrEqual(1000);
  });
});
