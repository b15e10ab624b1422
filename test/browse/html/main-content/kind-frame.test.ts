import { expect, test } from 'vitest';
import { readHtml } from '../../../../src/browse/readers/html.ts';

const ferry = (town: string) =>
  `The ferry to ${town} leaves from the old pier every morning, and comes back when the tide turns in the evening.`;
const read = (body: string, url: string, head = '') =>
  readHtml(
    `<html><head><title>Piers</title>${head}</head><body><h1>Which pier?</h1>${body}</body></html>`,
    url,
  ).markdown;

const post = (inside: string) => `<div class="post"><a href="/u/ann">Ann</a>${inside}</div>`;
const thread = (inside: string, after = '') =>
  read(
    `${['Alva', 'Brora', 'Crail'].map((town) => post(`<p>${ferry(town)}</p>${inside}`)).join('')}${after}`,
    'https://forum.example/threads/piers.7',
  );

test.each([
  ['a signature', '<div class="post-signature">Zulu sailed them all</div>'],
  ['what the forum counts of a member', '<dl class="message-userExtras"><dt>Zulu score</dt><dd>12</dd></dl>'],
  ['who likes it', '<div class="reactionsBar">Zulu and others</div>'],
  ['how many like it', '<div>12 likes</div>'],
  ['a control', '<div>Reply</div>'],
  ['a notice of the forum', '<div class="notice">Zulu closes on Sunday</div>'],
])('%s is not part of the posts', (_, frame) => {
  const markdown = thread(frame);
  expect(markdown).not.toMatch(/Zulu|12|Reply/);
  expect(markdown).toContain(ferry('Crail'));
});

test('similar threads are not part of the thread', () => {
  const others = `<div><h3>Similar threads</h3><p>Zulu asks: ${ferry('Zulu')}</p></div>`;
  expect(thread('', others)).not.toContain('Zulu');
});

test('notes under an answer are dropped, and comments that are the posts are kept', () => {
  const schema = '<script type="application/ld+json">{"@type":"QAPage"}</script>';
  const notes = (text: string) => `<ul class="comments-list"><li class="comment">${text}</li></ul>`;
  const answer = (town: string, text: string) =>
    `<div class="answer"><p>${ferry(town)}</p><p>${ferry(`New ${town}`)}</p>${text}</div>`;
  const asked = `<div class="question"><p>${ferry('Alva')}</p></div>`;
  const answers =
    answer('Brora', notes('Zulu: is that so still, in winter?')) + answer('Crail', notes('Zulu: it is.'));
  const markdown = read(`${asked}${answers}`, 'https://piers.example/questions/7/which-pier', schema);
  expect(markdown).not.toContain('Zulu');
  expect(markdown).toContain(ferry('New Crail'));
  const posts = ['Doune', 'Elie', 'Fyvie']
    .map((town) => `<div class="comment"><p>${ferry(town)}</p></div>`)
    .join('');
  expect(
    read(
      `<div class="question"><p>${ferry('Alva')}</p></div><div>${posts}</div>`,
      'https://forum.example/7',
      schema,
    ),
  ).toContain(ferry('Fyvie'));
});

test('on a product page other goods and reviews are frame, and the parts and options of the product stay', () => {
  const thing = `<p>£12</p><p>${ferry('Alva')}</p><ul><li>Deck: upper</li><li>Deck: lower</li></ul><h2>Details</h2><table><tr><th>Seats</th><td>40</td></tr></table>`;
  const others = [
    `<section><h2>You may also like</h2><p>${ferry('Zulu')}</p></section>`,
    `<section><h2>Customer reviews</h2><p>${ferry('Zulu')}</p></section>`,
    '<div class="wishlist">Add Zulu to a list</div>',
  ].join('');
  const markdown = read(`<div>${thing}</div>${others}`, 'https://pier.example/products/day-ticket');
  expect(markdown).not.toContain('Zulu');
  for (const part of ['£12', 'Deck: lower', 'Seats']) expect(markdown).toContain(part);
});

test('headings of a product page are chapters in a text that sells nothing', () => {
  const chapters = `<section><h2>Customer reviews</h2><p>${ferry('Zulu')}</p></section>`;
  expect(
    read(`<p>${ferry('Alva')}</p>${chapters}<p>${ferry('Brora')}</p>`, 'https://pier.example/about'),
  ).toContain('Zulu');
});

const USERS = ['Alva', 'Brora', 'Crail'];
const QUOTED = 'the tide turns at noon on the old pier';
interface Post {
  readonly name: string;
  readonly text: string;
  readonly isQuoting: boolean;
}
const threadOf = (write: (post: Post) => string) =>
  USERS.map((name, at) => write({ name, text: ferry(name), isQuoting: at === 2 })).join('');
const FORUMS: readonly (readonly [name: string, thread: string])[] = [
  [
    'XenForo',
    threadOf(
      ({ name, text, isQuoting }) =>
        `<article class="message message--post" data-author="${name}"><div class="message-cell message-cell--user"><section class="message-user"><div class="message-userDetails"><h4 class="message-name"><a href="/members/${name}.7/" class="username">${name}</a></h4><h5 class="userTitle">ZULU rank</h5></div><div class="message-userExtras"><dl><dt>ZULU</dt><dd>88</dd></dl></div></section></div><div class="message-cell message-cell--main"><article class="message-body"><div class="bbWrapper">${isQuoting ? `<blockquote class="bbCodeBlock bbCodeBlock--quote"><div class="bbCodeBlock-title"><a href="/goto/post?id=2">Brora sade:</a></div><div class="bbCodeBlock-content">${QUOTED}</div></blockquote>` : ''}${text}</div></article></div></article>`,
    ),
  ],
  [
    'phpBB',
    threadOf(
      ({ name, text, isQuoting }) =>
        `<div class="post"><dl class="postprofile"><dt><a href="./memberlist.php?u=7" class="username">${name}</a></dt><dd><strong>ZULU:</strong> 88</dd></dl><div class="postbody"><div class="content">${isQuoting ? `<blockquote><div><cite>Brora skrev:</cite>${QUOTED}</div></blockquote>` : ''}${text}</div></div></div>`,
    ),
  ],
  [
    'MyBB',
    threadOf(
      ({ name, text, isQuoting }) =>
        `<div class="post classic"><div class="post_author"><div class="author_information"><strong><a href="user-7.html">${name}</a></strong></div><div class="author_statistics">Posts: 88</div></div><div class="post_content"><div class="post_body">${isQuoting ? `<blockquote class="mycode_quote"><cite>Brora Wrote:</cite>${QUOTED}</blockquote>` : ''}${text}</div></div></div>`,
    ),
  ],
  [
    'SMF',
    threadOf(
      ({ name, text, isQuoting }) =>
        `<div class="windowbg"><div class="post_wrapper"><div class="poster"><h4><a href="/index.php?u=7">${name}</a></h4><ul class="user_info"><li>ZULU</li></ul></div><div class="postarea"><div class="post">${isQuoting ? `<blockquote><cite><a href="#msg2">Quote from: Brora</a></cite>${QUOTED}</blockquote>` : ''}${text}</div></div></div></div>`,
    ),
  ],
  [
    'Flarum',
    threadOf(
      ({ name, text, isQuoting }) =>
        `<div class="PostStream-item"><article class="Post"><header class="Post-header"><ul><li><h3><a href="/u/${name}"><span class="username">${name}</span></a></h3></li><li><a class="Dropdown-toggle"><time datetime="2026-05-04T10:00:00Z">Mon, May 4, 2026</time></a></li></ul></header><div class="Post-body">${isQuoting ? `<blockquote><p>Brora: ${QUOTED}</p></blockquote>` : ''}<p>${text}</p></div></article></div>`,
    ),
  ],
  [
    'Invision',
    threadOf(
      ({ name, text, isQuoting }) =>
        `<article class="cPost ipsComment"><aside class="ipsComment_author cAuthorPane"><h3 class="cAuthorPane_author"><strong><a href="/profile/7-x/">${name}</a></strong></h3><ul class="cAuthorPane_info"><li>ZULU</li></ul></aside><div class="ipsType_richText">${isQuoting ? `<blockquote class="ipsQuote"><div class="ipsQuote_citation">Brora said:</div><p>${QUOTED}</p></blockquote>` : ''}<p>${text}</p></div></article>`,
    ),
  ],
  [
    'Vanilla',
    threadOf(
      ({ name, text, isQuoting }) =>
        `<li class="Item ItemComment"><span class="Author"><a href="/profile/${name}" class="Username">${name}</a></span> <span class="RoleTitle">ZULU</span><div class="Message">${isQuoting ? `<blockquote><div class="QuoteAuthor"><a href="/profile/Brora">Brora</a> said:</div><div>${QUOTED}</div></blockquote>` : ''}<p>${text}</p></div></li>`,
    ),
  ],
];

test.each(FORUMS)(
  'a thread of %s says who wrote each post and who is quoted, whatever its address is',
  (_, html) => {
    const markdown = read(html, 'https://saved.example/page-7.html');
    const order = USERS.flatMap((name) =>
      name === 'Crail' ? ['Crail', 'Brora', QUOTED, ferry(name)] : [name, ferry(name)],
    );
    let at = 0;
    for (const words of order) {
      expect(markdown.slice(at)).toContain(words);
      at = markdown.indexOf(words, at) + words.length;
    }
    const quoted = markdown.split('\n').filter((line) => line.startsWith('>'));
    expect(quoted.join(' ')).toMatch(/Brora.*the tide turns/);
    expect(quoted.join(' ')).not.toContain('ferry');
    expect(markdown).not.toMatch(/ZULU|88/);
  },
);
