import { layPdf } from '../../helpers/pdf.ts';

/** Sixteen kinds of page that people watch, each with what does not matter (by `look`) and one real change. */

export interface Look {
  /** Number of this look. It decides all that does not matter on the page. */
  readonly look: number;
  readonly now: number;
  readonly real: boolean;
}

export interface WatchedKind {
  readonly name: string;
  readonly path: string;
  readonly type: string;
  /** What is watched, as in `monitoring_options.page`. */
  readonly page?: Record<string, unknown>;
  readonly before: RegExp;
  readonly after: RegExp;
  body(look: Look): string | Buffer;
}

const iso = (now: number) => new Date(now).toISOString();
const clock = (now: number) => iso(now).slice(11, 19);
const day = (now: number) =>
  new Date(now).toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  });
const ADS = [
  'Fly to Rome for 49 euros',
  'The best mattress of the year',
  'Learn to play the piano',
  'Try our new soup',
];
const adOf = (look: number) => ADS[look % ADS.length];
const token = (look: number) =>
  Buffer.from(`visitor ${look * 7919} of this site`)
    .toString('hex')
    .slice(0, 32);

/** A site around the content: navigation, a clock, advertisements in changing order, counters, a visitor's token. */
function site(title: string, content: string, { look, now }: Look): string {
  const boxes = [
    `<div class="ad-box"><span>Advertisement</span><p>${adOf(look)}</p></div>`,
    `<aside class="sponsored"><p>Sponsored: ${adOf(look + 1)}</p></aside>`,
  ];
  const [one, two] = look % 2 ? boxes : boxes.reverse();
  return `<!doctype html><html lang="en"><head><title>${title}</title><meta name="csrf" content="${token(look)}"></head>
<body data-session="${token(look)}"><header><nav><a href="/">Home</a> <a href="/all?sid=${token(look)}">All</a></nav>
<p>Today is ${day(now)}, ${clock(now)}</p></header>${one}<main><h1>${title}</h1>
<p class="meta">Last updated: ${day(now)} at ${clock(now)} · ${1000 + look * 13} views · ${look + 3} people are viewing this</p>
${content}<p>Read ${look % 50} minutes ago by ${200 + look} visitors.</p></main>${two}
<footer><p>© ${iso(now).slice(0, 4)} Example. Request ID: ${token(look).slice(0, 12)}</p></footer></body></html>`;
}

const rows = (cells: readonly (readonly string[])[]) =>
  cells.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('\n');
const PROSE =
  'This lamp has a stand of oak and a shade of linen, and it lights a desk well without blinding whoever sits at it. ';
const wait = (look: number) => `${(look % 20) + 2} hours ago`;

const feedOf = ({ look, now, real }: Look) =>
  [
    ...(real ? [{ title: 'Harbour bridge opens early', id: 9 }] : []),
    { title: 'Council votes on new tram line', id: 3 },
    { title: 'Storm warning for the coast', id: 2 },
    { title: 'Library to stay open on Sundays', id: 1 },
  ].map((item) => ({ ...item, url: `https://news.example/story/${item.id}?utm_source=feed${look}`, now }));

export const WATCHED_KINDS: readonly WatchedKind[] = [
  {
    name: 'price',
    path: '/lamp',
    type: 'text/html',
    page: { extract: { what: 'price' } },
    before: /129/,
    after: /99\.50/,
    body: (at) =>
      site(
        'Desk lamp Oslo',
        `<script type="application/ld+json">${JSON.stringify({ '@type': 'Product', name: 'Desk lamp Oslo', offers: { '@type': 'Offer', price: at.real ? '99.50' : '129.00', priceCurrency: 'EUR', availability: 'https://schema.org/InStock' } })}</script><p>${PROSE}</p><p>Price: <b>€${at.real ? '99.50' : '129.00'}</b></p><p>In stock, ships in 2 days.</p>`,
        at,
      ),
  },
  {
    name: 'stock',
    path: '/chair',
    type: 'text/html',
    page: { when: { is: 'in_stock' } },
    before: /sold out/i,
    after: /in stock/i,
    body: (at) =>
      site(
        'Chair Bergen',
        `<p>${PROSE.replace('lamp', 'chair')}</p><p>Price: €240.00</p><p class="stock">${at.real ? 'In stock' : 'Sold out'}</p><button>${at.real ? 'Add to cart' : 'Notify me'}</button>`,
        at,
      ),
  },
  {
    name: 'release notes',
    path: '/releases',
    type: 'text/html',
    page: { extract: { what: 'headings' } },
    before: /^$|Version 4\.1/,
    after: /Version 4\.2/,
    body: (at) =>
      site(
        'Release notes',
        `${at.real ? '<h2>Version 4.2</h2><ul><li>Faster start of the editor</li></ul>' : ''}<h2>Version 4.1</h2><p>Released ${wait(at.look)}</p><ul><li>Dark colours for the editor</li><li>Fewer crashes when files are large</li></ul><h2>Version 4.0</h2><ul><li>A new format for settings</li></ul>`,
        at,
      ),
  },
  {
    name: 'RSS feed',
    path: '/feed.rss',
    type: 'application/rss+xml',
    page: { when: { is: 'new_items' } },
    before: /^$/,
    after: /Harbour bridge opens early/,
    body: (at) =>
      `<?xml version="1.0"?><rss version="2.0"><channel><title>News</title><link>https://news.example/</link><lastBuildDate>${new Date(at.now).toUTCString()}</lastBuildDate>${feedOf(
        at,
      )
        .map(
          ({ title, url }) =>
            `<item><title>${title}</title><link>${url.replaceAll('&', '&amp;')}</link><description>${title}: more on it at ${clock(at.now)}.</description></item>`,
        )
        .join('')}</channel></rss>`,
  },
  {
    name: 'JSON feed',
    path: '/feed.json',
    type: 'application/feed+json',
    page: { when: { is: 'new_items', words: ['bridge'] } },
    before: /^$/,
    after: /Harbour bridge opens early/,
    body: (at) =>
      JSON.stringify({
        version: 'https://jsonfeed.org/version/1.1',
        title: 'News',
        generated: iso(at.now),
        items: feedOf(at).map(({ title, url, id }) => ({
          id: String(id),
          title,
          url,
          content_text: `${title}.`,
        })),
      }),
  },
  {
    name: 'table row',
    path: '/rates',
    type: 'text/html',
    before: /Prague/,
    after: /Prague.*(?:CZK 310|310)/,
    body: (at) =>
      site(
        'Ferry rates',
        `<table><tr><th>Route</th><th>Adult</th><th>Child</th></tr>${rows([
          ['Oslo to Kiel', 'NOK 940', 'NOK 470'],
          ['Prague to Dresden', at.real ? 'CZK 310' : 'CZK 290', 'CZK 140'],
          ['Dover to Calais', 'GBP 65', 'GBP 30'],
        ])}</table>`,
        at,
      ),
  },
  {
    name: 'job list',
    path: '/jobs',
    type: 'text/html',
    page: { extract: { what: 'items' }, when: { is: 'new_items', without: ['intern'] } },
    before: /^$/,
    after: /Gardener for the city park/,
    body: (at) =>
      site(
        'Open positions',
        `<ul class="jobs">${[
          ...(at.real ? ['Gardener for the city park'] : []),
          'Baker for the night shift',
          'Bus driver, full time',
          'Teacher of mathematics',
          'Nurse at the children’s ward',
        ]
          .map(
            (job) =>
              `<li><h3><a href="/jobs/${job.toLowerCase().replaceAll(/[^a-z]+/g, '-')}?ref=${token(at.look)}">${job}</a></h3><p>Springfield · posted ${wait(at.look)} · ${at.look + 4} applicants</p></li>`,
          )
          .join('')}</ul>`,
        at,
      ),
  },
  {
    name: 'status page',
    path: '/status',
    type: 'text/html',
    before: /Payments: operational/i,
    after: /Payments: (?:major )?outage/i,
    body: (at) =>
      site(
        'System status',
        `<ul><li>Website: operational</li><li>Payments: ${at.real ? 'major outage' : 'operational'}</li><li>Mail: operational</li></ul><p>Checked ${at.look % 60} seconds ago.</p>`,
        at,
      ),
  },
  {
    name: 'PDF',
    path: '/tariff.pdf',
    type: 'application/pdf',
    before: /Monthly ticket: 49 euros/,
    after: /Monthly ticket: 58 euros/,
    body: (at) =>
      layPdf([
        [
          'Tariff of the city transport',
          `Monthly ticket: ${at.real ? 58 : 49} euros`,
          'Single ticket: 3 euros',
          `Printed on ${day(at.now)}`,
        ].map((text, line) => ({ text, x: 70, y: 760 - line * 60, size: 12 })),
      ]),
  },
  {
    name: 'documentation page',
    path: '/docs/install',
    type: 'text/html',
    before: /Node 20/,
    after: /Node 22/,
    body: (at) =>
      site(
        'Installation',
        `<p>You need Node ${at.real ? 22 : 20} or newer, and about 200 MB of disk space for the program and its data.</p><pre><code>npm install example</code></pre><h2>Settings</h2><p>The program reads its settings from a file in your home folder, which it makes when it starts for the first time.</p><p>Was this page helpful? ${at.look + 10} people found it helpful.</p>`,
        at,
      ),
  },
  {
    name: 'news list',
    path: '/news',
    type: 'text/html',
    page: { extract: { what: 'items' } },
    before: /^$/,
    after: /Harbour bridge opens early/,
    body: (at) =>
      site(
        'News',
        feedOf(at)
          .map(
            ({ title, url }) =>
              `<article><h2><a href="${url.replaceAll('&', '&amp;')}">${title}</a></h2><p>${title}, as was heard in the town hall.</p><p>${wait(at.look)} · ${at.look * 3} comments</p></article>`,
          )
          .join(''),
        at,
      ),
  },
  {
    name: 'forum thread',
    path: '/thread/7',
    type: 'text/html',
    before: /^$/,
    after: /grease the hinge/,
    body: (at) =>
      site(
        'How do I stop a door from squeaking?',
        [
          ['ada', 'My kitchen door squeaks each time that someone opens it at night. What helps?'],
          ['grace', 'Rub a candle over the pin of the hinge, that works for some weeks at least.'],
          ...(at.real
            ? [['alan', 'Better grease the hinge properly, after you have cleaned the old dirt off.']]
            : []),
        ]
          .map(
            ([who, text], number) =>
              `<div class="post"><p class="author">${who}</p><p>${text}</p><p>${number + 1} · ${wait(at.look)} · ${at.look} likes</p></div>`,
          )
          .join(''),
        at,
      ),
  },
  {
    name: 'event calendar',
    path: '/events',
    type: 'text/html',
    before: /24 April 2027/,
    after: /25 April 2027/,
    body: (at) =>
      site(
        'Concerts',
        `<ul><li>12 March 2027, 19:30: String quartet in the old church</li><li>${at.real ? 25 : 24} April 2027, 20:00: Jazz evening at the harbour</li><li>3 May 2027, 18:00: Choir of the school</li></ul>`,
        at,
      ),
  },
  {
    name: 'rank list',
    path: '/table',
    type: 'text/html',
    before: /Rovers/,
    after: /Rovers/,
    body: (at) => {
      const teams = [
        ['United', '48'],
        ['Rovers', at.real ? '47' : '44'],
        ['City', '41'],
      ];
      return site(
        'League table',
        `<table><tr><th>Rank</th><th>Team</th><th>Points</th></tr>${rows(teams.map((team, place) => [String(place + 1), ...team]))}</table>`,
        at,
      );
    },
  },
  {
    name: 'opening hours',
    path: '/hours',
    type: 'text/html',
    page: { extract: { selector: '#hours' } },
    before: /9:00.{1,3}17:00/,
    after: /10:00.{1,3}17:00/,
    body: (at) =>
      site(
        'Town library',
        `<p>${PROSE}</p><dl id="hours"><dt>Monday to Friday</dt><dd>${at.real ? '10:00' : '9:00'}–17:00</dd><dt>Saturday</dt><dd>10:00–13:00</dd></dl><p>It is ${clock(at.now)} here.</p>`,
        at,
      ),
  },
  {
    name: 'changelog in text',
    path: '/CHANGELOG.txt',
    type: 'text/plain',
    before: /^$|1\.8\.0/,
    after: /Fixed the import of long files/,
    body: (at) =>
      `Changelog\n\nGenerated ${iso(at.now)}\n\n${at.real ? '1.9.0\n- Fixed the import of long files\n\n' : ''}1.8.0\n- New command to list folders\n\n1.7.2\n- Fewer warnings at the start\n`,
  },
];
