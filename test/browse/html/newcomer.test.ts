import { describe, expect, test } from 'vitest';
import type { TextRunJudge } from '../../../src/browse/readers/html/content/choose-runs.ts';
import { readHtml } from '../../../src/browse/readers/html.ts';

const TEXT =
  'The ferry runs every hour from the old pier, and the last boat leaves at nine in the evening, so that people of the island come home. ';
const OTHER =
  'Cedar keeps for decades without paint, and the roof lifts off so that seed is filled in from above. '.repeat(
    9,
  );
const read = (body: string, url = 'https://pier.example/ferry', head = '', ...judge: [TextRunJudge?]) =>
  readHtml(`<html><head><title>Ferry</title>${head}</head><body>${body}</body></html>`, url, false, ...judge);
const article = (body: string) =>
  read(
    `<main><article><h1>Ferry</h1><p>${TEXT.repeat(3)}</p>${body}<p>${TEXT.repeat(3)}</p></article></main>`,
  ).markdown;

test.each([
  [
    'a sentence that ends in a link',
    '<p>See the <a href="/d">documentation of the pier</a>.</p>',
    'See the [',
  ],
  [
    'thanks to people',
    '<p>Thanks to <a href="/1">Mia Brown</a>, <a href="/2">Tom Green</a> and <a href="/3">Lena White</a>.</p>',
    'Thanks to [Mia Brown]',
  ],
])('%s is kept in an article', (_, paragraph, wanted) => {
  expect(article(paragraph)).toContain(wanted);
});

test('a line that consists of links alone is dropped all the same', () => {
  expect(article('<p><a href="/1">All about piers</a> | <a href="/2">All about boats</a></p>')).not.toContain(
    'piers',
  );
});

describe('captions', () => {
  const figure = (alt: string, caption: string) =>
    article(`<figure><img src="/a.png" alt="${alt}"><figcaption>${caption}</figcaption></figure>`);

  test('a caption is kept beside a different alternative text', () => {
    expect(figure('Chart', 'Figure 1: Oil is thin at 40 °C.')).toContain(
      '![Chart – Figure 1: Oil is thin at 40 °C.](https://pier.example/a.png)',
    );
  });

  test.each([
    ['the same words', 'Oil is thin.', 'Oil is thin', '![Oil is thin]('],
    ['more of the same', 'Oil is', 'Oil is thin at 40 °C.', '![Oil is thin at 40 °C.]('],
    ['who made it', 'A boat', 'Photo: Ada Quill', '![A boat]('],
  ])('a caption of %s is not repeated', (_, alt, caption, wanted) => {
    expect(figure(alt, caption)).toContain(wanted);
  });
});

describe('tabs', () => {
  const both = /\*\*Linux\*\*\n\nOpen a terminal[^*]*\*\*Windows\*\*\n\nDouble-click/;
  const linux = '<p>Open a terminal and run the installer, which takes a minute.</p>';
  const windows = '<p>Double-click the file that was fetched and say yes twice.</p>';

  test.each([
    [
      'with ids',
      `<div role="tablist"><button role="tab" id="a" aria-controls="pa">Linux</button><button role="tab" id="b" aria-controls="pb">Windows</button></div><div role="tabpanel" id="pa" aria-labelledby="a">${linux}</div><div role="tabpanel" id="pb" aria-labelledby="b" hidden>${windows}</div>`,
    ],
    [
      'in their order',
      `<div class="tabs"><ul role="tablist"><li role="tab">Linux</li><li role="tab">Windows</li></ul><div><div role="tabpanel">${linux}</div><div role="tabpanel" hidden>${windows}</div></div></div>`,
    ],
    [
      'of links',
      `<ul class="nav nav-tabs"><li><a data-toggle="tab" href="#pa">Linux</a></li><li><a data-toggle="tab" href="#pb">Windows</a></li></ul><div class="tab-content"><div class="tab-pane" id="pa">${linux}</div><div class="tab-pane" id="pb">${windows}</div></div>`,
    ],
    [
      'of labels in a row',
      `<div class="tabbed-set"><input id="x1" type="radio" name="x"><input id="x2" type="radio" name="x"><div class="tabbed-labels"><label for="x1">Linux</label><label for="x2">Windows</label></div><div class="tabbed-content"><div class="tabbed-block">${linux}</div><div class="tabbed-block">${windows}</div></div></div>`,
    ],
    [
      'of labels before each',
      `<div class="sd-tab-set"><input id="x1" type="radio"><label class="sd-tab-label" for="x1">Linux</label><div class="sd-tab-content">${linux}</div><input id="x2" type="radio"><label class="sd-tab-label" for="x2">Windows</label><div class="sd-tab-content">${windows}</div></div>`,
    ],
    [
      'of labels in a row of another name (VitePress)',
      `<div class="vp-code-group"><div class="tabs"><input type="radio" id="x1"><label for="x1">Linux</label><input type="radio" id="x2"><label for="x2">Windows</label></div><div class="blocks"><div>${linux}</div><div>${windows}</div></div></div>`,
    ],
  ])('tabs %s keep their labels, each over its panel alone', (_, tabs) => {
    // A page that is no article keeps boxes that an article does not.
    const whole = read(`<main><h1>Feeder</h1>${tabs}<p>${TEXT}</p></main>`);
    for (const markdown of [article(tabs), whole.markdown]) {
      expect(markdown).toMatch(both);
      expect(markdown.match(/Linux|Windows/g)).toHaveLength(2);
    }
  });

  test('a label with a count is not repeated over a heading with the same count', () => {
    const tab = (id: string, name: string) => `<button role="tab" aria-controls="${id}">${name}</button>`;
    const panel = (id: string, text: string) => `<div role="tabpanel" id="${id}">${text}</div>`;
    const markdown = article(
      `<div role="tablist">${tab('pa', 'Details')}${tab('pb', 'Reviews (12)')}</div>${panel('pa', `<p>${TEXT}</p>`)}${panel('pb', `<h2>12 reviews of the feeder</h2><p>${OTHER}</p>`)}`,
    );
    expect(markdown).toContain('**Details**');
    expect(markdown).not.toContain('**Reviews');
  });

  test('a heading that equals the label is not repeated', () => {
    const panel = (id: string, name: string) =>
      `<div role="tabpanel" id="${id}"><h3>${name}</h3><p>${TEXT}</p></div>`;
    const markdown = article(
      `<div role="tablist"><button role="tab" aria-controls="pa">Linux</button><button role="tab" aria-controls="pb">Windows</button></div>${panel('pa', 'Linux')}${panel('pb', 'Windows')}`,
    );
    expect(markdown).toContain('### Linux');
    expect(markdown).not.toContain('**Linux**');
  });
});

describe('shops', () => {
  const data =
    '<script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"Feeder"}</script>';
  const shop = (reviews: string, long = false) =>
    read(
      `<main><h1>Feeder</h1><p>A feeder of oiled cedar that holds 2.5 litres of seed.</p>${long ? `<p>${OTHER}</p>` : ''}<h2>Reviews</h2>${reviews}<h2>Delivery</h2><p>Within three days.</p></main>`,
      'https://shop.example/feeder',
      data,
      // The trees may take what is said so well for the text.
      () => undefined,
    );

  test.each(['review', 'testimonial', 'product-review'])('a few items under a heading %s stay', (name) => {
    const { markdown, reduced } = shop(
      `<div class="${name}"><p>The squirrels cannot open it.</p></div><div class="${name}"><p>Roof warped.</p></div>`,
    );
    expect(markdown).toMatch(/## Reviews\n\nThe squirrels[^#]*Roof warped\.\n\n## Delivery/);
    expect(reduced).toBeUndefined();
  });

  test('many reviews are dropped with their heading, and the answer says so', () => {
    const { markdown, reduced } = shop(
      Array.from({ length: 9 }, (_, i) => `<div class="review"><p>${i}: ${TEXT}</p></div>`).join(''),
      true,
    );
    expect(markdown).not.toContain('Reviews');
    expect(markdown).toContain('## Delivery');
    expect(reduced).toMatch(/buyers/);
  });

  test('a price beside its button stays', () => {
    const { markdown } = read(
      `<main><h1>Feeder</h1><p>${TEXT}</p><h2>Buy it</h2><div class="action"><div>59,99€</div><div><a role="button" href="javascript:add(1)"><span>Add to Cart</span></a></div></div><h2>About</h2><p>${OTHER}</p></main>`,
      'https://shop.example/p/feeder',
    );
    expect(markdown).toMatch(/## Buy it\n\n59,99€\n\n## About/);
  });

  test('labels of filters and buttons of cards are not part of a list', () => {
    const card = (i: number) =>
      `<li class="card"><h3><a href="/item/${i}">Flat number ${i}</a></h3><p>${54 + i} m², second floor.</p><div><a href="/item/${i}">View options</a></div></li>`;
    const { markdown } = read(
      `<h1>Flats</h1><div class="filters"><label>Price <input></label><label>Rooms <input></label></div><p>5 results</p><ul>${[1, 2, 3, 4, 5].map(card).join('')}</ul>`,
      'https://flats.example/rent',
    );
    expect(markdown).not.toMatch(/Price|Rooms|View options/);
    expect(markdown).toContain('[Flat number 5](https://flats.example/item/5)');
    expect(markdown).toContain('5 results');
  });

  test('links with the same words stay where no other link leads to the address', () => {
    const card = (i: number) =>
      `<li><h3>Flat number ${i}</h3><p>${TEXT}</p><div><a href="/item/${i}">View options</a></div></li>`;
    const { markdown } = read(`<h1>Flats</h1><ul>${[1, 2, 3, 4, 5].map(card).join('')}</ul>`);
    expect(markdown).toContain('[View options](https://pier.example/item/3)');
  });

  test('rows of boxes are read as names with values', () => {
    const row = (name: string, value: string) =>
      `<div class="row"><div class="a"><div><span>${name}</span></div><div>${value}</div></div></div>`;
    expect(
      article(
        `<h2>Size</h2><div>${row('Height', '3.2 cm')}${row('Width:', '31 cm')}${row('Keys', '104 of <a href="/k">two kinds</a>')}</div>`,
      ),
    ).toContain(
      '**Height:** 3.2 cm\n\n**Width:** 31 cm\n\n**Keys:** 104 of [two kinds](https://pier.example/k)',
    );
  });
});

describe('threads', () => {
  const post = (name: string, body: string) =>
    `<div class="post"><div class="author"><a href="/u/${name}">${name}</a><br>Posts: 12<br>Joined: 2019</div><div class="body">${body}</div><div class="sig">Sent from my toaster</div><a href="#" class="quote">Quote</a> <a href="#">Report</a></div>`;
  const forum = (...posts: string[]) =>
    read(`<h1>Router drops wifi</h1>${posts.join('')}`, 'https://net.example/forum/t/1').markdown;

  test('names stay, and counts, signatures and rows of controls are dropped', () => {
    const markdown = forum(
      post('hank', '<p>My router drops wifi every 20 minutes.</p>'),
      post('lena', '<p>Turn off band steering.</p>'),
      '<h3>Similar threads</h3><ul><li><a href="/t/9">Router reboot loop</a></li></ul>',
    );
    expect(markdown).toContain('[lena](https://net.example/u/lena)\n\nTurn off');
    expect(markdown).not.toMatch(/Posts|Joined|toaster|Report|Similar|reboot/);
  });

  test('a box whose class name only ends in sig is a post', () => {
    expect(
      forum(
        '<div class="post"><a href="/u/hank">hank</a><div class="postcontent_sig"><p>Make sure that no fish is dead.</p></div></div>',
      ),
    ).toContain('no fish is dead');
  });

  test('a quote of an earlier post keeps its first words', () => {
    const said = 'one two three four five six seven eight nine ten eleven twelve thirteen '.repeat(2);
    const quote = `<blockquote><div>hank said:</div><div>${said}</div></blockquote><p>So do mine, and those of all my neighbours.</p>`;
    const markdown = forum(post('hank', `<div>${said}</div>`), post('lena', quote));
    expect(markdown).toMatch(/> hank said:\n>\n> one two [a-z ]*twelve …\n\nSo do mine/);
    expect(markdown.match(/thirteen/g)).toHaveLength(2);
  });

  test('answers are separated by author, date and votes', () => {
    const answer = (name: string, votes: number, text: string, accepted = '') =>
      `<div class="answer" itemprop="${accepted}suggestedAnswer" itemscope itemtype="https://schema.org/Answer" data-author-username="${name}"><div itemprop="upvoteCount">${votes}</div><div class="s-prose" itemprop="text"><p>${text}</p></div><div class="post-signature"><time itemprop="dateCreated" datetime="2012-07-06T10:00:00">6 Jul</time></div></div>`;
    const { markdown } = read(
      `<div itemscope itemtype="https://schema.org/QAPage"><h1>How to set focus?</h1><p>What is the most efficient way to do that with a keyboard?</p>${answer('iglvzx', 13, 'Use a script that moves the focus.', 'acceptedAnswer ')}${answer('Jon', -1, 'Press the tab key twice, that should do it.')}</div>`,
      'https://ask.example/questions/1/how',
    );
    expect(markdown).toMatch(/---\n\n\*\*iglvzx\*\* · 2012-07-06 · 13 votes · ✔\n\nUse a script/);
    expect(markdown).toMatch(/---\n\n\*\*Jon\*\* · 2012-07-06 · -1 votes\n\nPress the tab/);
  });
});

test('colour codes are removed from a terminal recording and kept in code about them', () => {
  const saved =
    '$ &lt;font color="#4E9A06"&gt;fastapi&lt;/font&gt; dev &lt;u style="x:y"&gt;main.py&lt;/u&gt;';
  expect(article(`<pre><code class="language-console">${saved}</code></pre>`)).toContain(
    '$ fastapi dev main.py',
  );
  expect(article(`<pre><code class="language-html">${saved}</code></pre>`)).toContain('<font color=');
});

test('votes in large type are not a heading', () => {
  const markdown = read(
    `<main><h1>690</h1><h1>Ω 142</h1><h1>Ferries of the island</h1><p>${TEXT.repeat(6)}</p></main>`,
  ).markdown;
  expect(markdown).not.toMatch(/# 690|142/);
  expect(markdown).toContain('# Ferries of the island');
});

test('code is not dropped as frame for utility class names', () => {
  expect(
    article('<pre class="relative theme-muted:bg-tint navigation-x"><code>nvm install 20.2.0</code></pre>'),
  ).toContain('nvm install');
});
