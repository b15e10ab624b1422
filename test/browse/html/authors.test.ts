import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readHtml } from '../../../src/browse/readers/html.ts';

const PROSE = [
  'The workshop on the quay has mended boats since the bridge was built, and three people still work there every week of the year, with tools that their teachers left.',
  'Visitors are asked to come before noon, since the tide sets the hours of the yard, and no one can say a day before when the slipway will be dry enough for a boat.',
  'What they charge is written on a board beside the door; it has changed twice in ten years, and both times the people of the harbour were asked about it first.',
]
  .map((text) => `<p>${text}</p>`)
  .join('');
const read = (lang: string, head: string, above: string, below = '') =>
  readHtml(
    `<!doctype html><html lang="${lang}"><head><title>Quay and tide</title>${head}</head><body><article><h1>Quay and tide</h1>${above}${PROSE}${below}</article></body></html>`,
    'https://site.example/a/quay',
  );
const person = (author: unknown) =>
  `<script type="application/ld+json">${JSON.stringify({ '@type': 'Article', headline: 'Quay and tide', author })}</script>`;

/** By language: a label before the author, a name, a label before the date, and 3 September 2022. */
const BYLINES: readonly (readonly [
  lang: string,
  by: string,
  name: string,
  published: string,
  date: string,
])[] = [
  ['de', 'Von', 'Jörg Brandt', 'Veröffentlicht am', '3. September 2022'],
  ['fr', 'Par', 'Hélène d’Ormesson', 'Publié le', '3 septembre 2022'],
  ['it', 'di', 'Lucia dell’Acqua', 'Pubblicato il', '3 settembre 2022'],
  ['es', 'Por', 'María José Núñez', 'Publicado el', '3 de septiembre de 2022'],
  ['pt', 'Por', 'Inês Carvalho', 'Publicado em', '3 de setembro de 2022'],
  ['pl', 'Tekst:', 'Anna Wójcik', 'Opublikowano:', '3 września 2022'],
  ['cs', 'Autor:', 'Jana Nováková', 'Publikováno', '3. září 2022'],
  ['tr', 'Yazan:', 'Işıl Güneş', 'Yayınlanma:', '3 Eylül 2022'],
  ['hu', 'Írta:', 'Kovács Ilona', 'Megjelent:', '2022. szeptember 3.'],
  ['id', 'Oleh', 'Dewi Lestari', 'Diterbitkan', '3 September 2022'],
  ['ru', 'Автор:', 'Иван Кузнецов', 'Опубликовано', '3 сентября 2022'],
  ['uk', 'Автор:', 'Олена Шевченко', 'Опубліковано', '3 вересня 2022'],
  ['th', 'โดย', 'สมชาย ใจดี', 'เผยแพร่เมื่อ', '3 กันยายน 2565'],
  ['fa', 'نویسنده:', 'سارا احمدی', 'تاریخ انتشار:', '۱۲ شهریور ۱۴۰۱'],
  ['ar', 'بقلم', 'ليلى حداد', 'نشر في', '٣ سبتمبر ٢٠٢٢'],
  ['zh', '记者：', '李小明', '发布时间：', '2022年9月3日'],
  ['ja', '文：', '山田 太郎', '公開', '令和4年9月3日'],
];

test.each(BYLINES)(
  'the byline in %s names author and date, wherever it stands',
  (lang, by, name, published, date) => {
    const parts = [`${by} ${name}`, `${published} ${date}`];
    const lines = [
      `<p class="meta">${parts.join(' | ')}</p>`,
      `<p>${parts.join('<br>')}</p>`,
      `<p class="meta">${by} <span>${name}</span>. ${parts[1]}</p>`,
      `<div><span>${parts[0]}</span> <span>${parts[1]}</span></div>`,
    ];
    for (const line of lines) {
      const { author, published: day } = read(lang, '', line);
      expect({ line, author, day }).toEqual({ line, author: name, day: '2022-09-03' });
    }
    const { author, published: day } = read(lang, '', '', lines[1]);
    expect([author, day]).toEqual([name, '2022-09-03']);
  },
);

/** A word for text, who wrote it, a word for pictures, who made them, and the label of one who made both. */
const CREDITS: readonly (readonly [string, string, string, string, string])[] = [
  ['Words', 'Jane Doe', 'Photos', 'John Roe', 'Words and pictures by'],
  ['Text', 'Jana Müller', 'Bilder', 'Uwe Klein', 'Text und Fotos:'],
  ['Texte', 'Anne Roux', 'Photos', 'Luc Petit', 'Textes et photos de'],
  ['Testi', 'Anna Rossi', 'Foto', 'Luca Neri', 'Testo e foto di'],
  ['Texto', 'Ana Paz', 'Fotografía', 'Luis Sol', 'Texto y fotos:'],
  ['Tekst', 'Jan Kowal', 'Zdjęcia', 'Ola Nowak', 'Tekst i zdjęcia:'],
  ['Tekst', 'Anne de Wit', 'Foto’s', 'Piet Bos', 'Tekst en foto’s:'],
  ['Szöveg', 'Kis Anna', 'Fotó', 'Nagy Péter', 'Szöveg és fotó:'],
  ['Teksti', 'Aino Lehto', 'Kuvat', 'Jukka Aalto', 'Teksti ja kuvat:'],
  ['Teksts', 'Anna Liepa', 'Foto', 'Juris Kalns', 'Teksts un foto:'],
  ['Tekstas', 'Rasa Jonė', 'Nuotraukos', 'Petras Vilkas', 'Tekstas ir nuotraukos:'],
  ['Texti', 'Jón Árnason', 'Myndir', 'Anna Ólafs', 'Texti og myndir:'],
  ['Yazı', 'Deniz Kaya', 'Fotoğraflar', 'Mert Aydın', 'Yazı ve fotoğraflar:'],
  ['YAZI', 'Deniz Kaya', 'FOTOĞRAF', 'Mert Aydın', 'Metin & fotoğraf:'],
  ['Κείμενο', 'Νίκος Παππάς', 'Φωτογραφίες', 'Άννα Δήμου', 'Κείμενο και φωτογραφίες:'],
  ['Текст', 'Ольга Петрова', 'Фото', 'Иван Сидоров', 'Текст и фото:'],
  ['Текст', 'Олена Коваль', 'Світлини', 'Іван Шевчук', 'Текст та фото:'],
  ['Teks', 'Budi Santoso', 'Foto', 'Sari Dewi', 'Teks dan foto:'],
  ['Bài', 'Trần Minh', 'Ảnh', 'Lê Hoa', 'Bài và ảnh:'],
  ['טקסט', 'דנה כהן', 'צילום', 'אורי לוי', 'טקסט, צילום:'],
  ['نص', 'سارة علي', 'تصوير', 'عمر حسن', 'نص و تصوير:'],
  ['متن', 'سارا رضایی', 'عکس', 'علی نوری', 'متن و عکس:'],
  ['लेख', 'सीमा राव', 'फोटो', 'अमित सिंह', 'लेख, फोटो:'],
  ['เรื่อง', 'มาลี สุขใจ', 'ภาพ', 'สมชาย ใจดี', 'เรื่อง, ภาพ:'],
  ['文', '山田太郎', '写真', '鈴木一郎', '文・写真：'],
  ['文字', '李小明', '摄影', '王伟', '文字、摄影：'],
  ['글', '김민수', '사진', '이영희', '글·사진'],
];

test.each(CREDITS)('%s: %s is the author, and not who made the pictures (%s: %s)', (...credits) => {
  const [text, writer, pictures, photographer, both] = credits;
  const [words, photos] = [`${text}: ${writer}`, `${pictures}: ${photographer}`];
  for (const line of [`${words} / ${photos}`, `${words} ${photos}`, `${both} ${writer}`])
    for (const name of ['byline', 'kunye'])
      expect({ line, author: read('en', '', `<p class="${name}">${line}</p>`).author }).toEqual({
        line,
        author: writer,
      });
  for (const line of [photos, `${pictures} ${photographer}`])
    expect({ line, author: read('en', '', `<p class="byline">${line}</p>`).author }).toEqual({
      line,
      author: undefined,
    });
});

test.each([
  ['Photos by John Roe, words by Jane Doe', 'Jane Doe'],
  ['Von Jana Müller (Text) und Uwe Klein (Fotos)', 'Jana Müller'],
  ['文/李小明 图/王伟', '李小明'],
  ['글 김민수 사진 이영희', '김민수'],
])('%s names the author %s', (line, author) => {
  expect(read('en', '', `<p class="byline">${line}</p>`).author).toBe(author);
});

test.each<[string, string, string, string]>([
  [
    'a reporter in Korean',
    'ko',
    '<div><span>김민수 기자</span> <span>입력 2024.03.05. 오전 9:12</span></div>',
    '김민수',
  ],
  ['a reporter in Japanese', 'ja', '<p>佐藤花子 記者 2024年3月5日</p>', '佐藤花子'],
  [
    'an author behind the source',
    'zh',
    '<p>2024年3月5日 15:16　来源：海港日报　记者：李小明　责任编辑：王芳</p>',
    '李小明',
  ],
  [
    'an author behind a photographer',
    'de',
    '<p>5. März 2024 | Fotos: Ute Bild | Text: Nina Weber</p>',
    'Nina Weber',
  ],
  [
    'an author in a box for signatures',
    'fr',
    '<p>5 mars 2024</p><p class="signature">Par Léa Martin</p>',
    'Léa Martin',
  ],
  [
    'an author in a box for credits',
    'he',
    '<div class="credit-line">מאת: יעל כהן | 05.03.2024, 10:15</div>',
    'יעל כהן',
  ],
  ['a woman in Arabic', 'ar', '<p>كتبت: نورة القحطاني | 5 مارس 2024</p>', 'نورة القحطاني'],
  [
    'an author beside a relative time',
    'en',
    '<p>By Rosa Lind · <time title="Mar 5, 2024 9:00 AM">3 hours ago</time></p>',
    'Rosa Lind',
  ],
])('%s is the author', (_name, lang, line, name) => {
  const { author, published } = read(lang, '', line);
  expect([author, published]).toEqual([name, '2024-03-05']);
});

test('an author in JSON-LD is named, however the name is written', () => {
  const word = fc.constantFrom('Ada', 'Núñez', '李', 'Иван', 'O’Neill', 'حداد');
  fc.assert(
    fc.property(word, fc.option(word), word, (given, middle, family) => {
      const name = [given, middle, family].filter(Boolean).join(' ');
      const parts = {
        givenName: given,
        ...(middle !== null && { additionalName: middle }),
        familyName: family,
      };
      const forms = [name, { name }, { name: [name] }, { name: { '@type': 'Person', name } }, parts, [parts]];
      for (const form of forms) expect(read('en', person(form), '').author).toBe(name);
    }),
    { seed: 38, numRuns: 30 },
  );
});

test.each([
  ['07/14/2023', '2023-07-11', '07/11/2023'],
  ['14/07/2023', '2023-11-07', '07/11/2023'],
])('another date of the page, %s, decides the order of day and month', (other, day, given) => {
  const head = `<meta property="article:published_time" content="Tue, ${given} - 17:57"><meta property="article:modified_time" content="${other} - 10:30">`;
  expect(read('en', head, '').published).toBe(day);
});

test('an author in the byline counts more than an account in JSON-LD', () => {
  const byline = '<p class="byline">By <a href="/a">Ada Lake</a></p>';
  expect(read('en', person({ '@type': 'Person', name: 'Watermark feed' }), byline).author).toBe('Ada Lake');
  expect(read('en', person({ '@type': 'Person', name: 'Eva d’Alba' }), byline).author).toBe('Eva d’Alba');
});

test.each([
  ['en', 'NEW YORK, NY / ACCESSWIRE / May 7, 2024 / Two', '2024-05-07'],
  ['en', 'LONDON, May 7, 2024 (GLOBE NEWSWIRE) -- Two', '2024-05-07'],
  ['de', 'Berlin, 7. Mai 2024 (dpa) – Zwei', '2024-05-07'],
  ['en', 'Since May 7, 2024 – a Tuesday – two', undefined],
  ['en', 'The wall fell on May 7, 2024: two', undefined],
])('the dateline of an agency in %s dates a text: %s', (lang, opening, day) => {
  const rest =
    'teams have begun to mend the wall of the harbour, said the council, after a winter of storms that tore blocks out of it.';
  expect(read(lang, '', `<p>${opening} ${rest}</p>`).published).toBe(day);
});

test.each([
  ['es', 'Autora:', 'Ana Pérez'],
  ['fr', 'Autrice :', 'Léa Martin'],
  ['pl', 'Autorka:', 'Anna Wójcik'],
  ['uk', 'Авторка:', 'Олена Шевченко'],
  ['de', 'Autorinnen:', 'Nina Weber, Ute Klein'],
])('the words for women and for several authors in %s, such as %s, begin a byline', (lang, label, name) => {
  expect(read(lang, '', `<p>${label} ${name}</p>`).author).toBe(name);
});

test.each([
  ['cXenseParse:author', '山本太郎'],
  ['DC.Creator.PersonalName', 'Ada Lake'],
  ['shareaholic:article_author_name', 'Ada Lake'],
  ['rnews:author', 'Ada Lake'],
  ['twitter:creator', undefined],
  ['DC.creator.CorporateName', undefined],
  ['book:author', undefined],
  ['og:image:author', undefined],
])('of the vocabularies of <meta>, %s names %s as author', (name, author) => {
  const content = author ?? 'Bo Ray';
  expect(read('en', `<meta name="${name}" content="${content}">`, '').author).toBe(author);
});

test('"By" before the box of a name makes its words a name', () => {
  const byline = 'By <a class="author-link" href="/staff">Harbour Clinic Staff</a>';
  for (const [above, below] of [
    ['', byline],
    [byline, ''],
  ] as const)
    expect(read('en', '', `<div>${above}</div>`, `<div>${below}</div>`).author).toBe('Harbour Clinic Staff');
});

test('a label counts through boxes that hold the date alone, in the footer of the text too', () => {
  const date = '<time datetime="2024-03-12T10:00:00Z">Mar 12, 2024</time>';
  const footer = `<footer class="doc-footer"><div class="doc-footer-row"><span>Last updated on <b><i>${date}</i></b></span></div></footer>`;
  expect(read('en', '', '', footer).published).toBe('2024-03-12T10:00:00Z');
  const later = '<time datetime="2024-03-09">9 March</time>';
  const lines = `<p>Updated <b>${date}</b></p><p>Published <b><i>${later}</i></b></p>`;
  expect(read('en', '', lines).published).toBe('2024-03-09');
});

test('a date alone above the heading dates the text, and the present day of the site does not', () => {
  const page = (outside: string, inside: string) =>
    readHtml(
      `<!doctype html><html lang="en"><head><title>Quay and tide</title></head><body>${outside}<main><div>${inside}<h1>Quay and tide</h1></div><article>${PROSE}</article></main></body></html>`,
      'https://site.example/a/quay',
    ).published;
  expect(page('', '<p>May 22, 2026</p>')).toBe('2026-05-22');
  expect(page('<p>May 22, 2026</p>', '')).toBeUndefined();
  expect(page('', '<p>Friday, May 22, 2026</p>')).toBeUndefined();
});

test('authors in lists within lists are all named', () => {
  const people = [{ name: 'Ada Lake' }, { name: 'Bo Ray' }];
  for (const given of [people, [people], [[people]], [[people[0]], [people[1]]]])
    expect(read('en', person(given), '').author).toBe('Ada Lake, Bo Ray');
});

test.each([
  ['fr', 'Rédigé par', 'Anne Le Goff'],
  ['fr', 'Publié par', 'Anne Le Goff'],
  ['it', 'Scritto da', 'Luca Rossi'],
  ['it', 'Pubblicato da', 'Luca Rossi'],
  ['es', 'Redactado por', 'Ana Pérez'],
  ['pt', 'Escrito por', 'Rui Costa'],
  ['de', 'Veröffentlicht von', 'Nina Weber'],
  ['nl', 'Geplaatst door', 'Jan de Vries'],
  ['sv', 'Skriven av', 'Karin Ek'],
  ['pl', 'Napisane przez', 'Anna Wójcik'],
  ['ro', 'Scris de', 'Ion Popescu'],
])('a verb before "by" in %s, as in "%s", begins a byline', (lang, by, name) => {
  expect(read(lang, '', `<div><span>${by} <b>${name}</b></span></div>`).author).toBe(name);
});

test('a link to the page of an author names the author, and none below the text does', () => {
  const link = '<a href="/author/eva/">Eva Stone</a>';
  expect(read('en', '', `<p>June 1, 2024 · ${link} · 6 min read</p>`).author).toBe('Eva Stone');
  expect(read('en', '', '<p>June 1, 2024 · <a href="/authors/">Harbour Crew</a></p>').author).toBeUndefined();
  expect(read('en', '', '', `<p>${link}</p>`).author).toBeUndefined();
});

test('short texts in microdata are teasers, and their dates and authors are not of the page', () => {
  const teaser = (day: string) =>
    `<div itemscope itemtype="https://schema.org/Article"><a itemprop="url" href="/b"><span itemprop="author">Bo Ray</span></a><time itemprop="datePublished" datetime="${day}">a day</time></div>`;
  const teasers = teaser('2013-02-03') + teaser('2014-06-07');
  for (const [above, below] of [
    ['', teasers],
    [teasers, ''],
  ] as const) {
    const page = read('en', '', `${above}<p>14 May 2014</p>`, below);
    expect([page.published, page.author]).toEqual(['2014-05-14', undefined]);
  }
});

test('each row of the footer of a text may date the text', () => {
  const date =
    '<abbr class="published" itemprop="datePublished" title="2016-03-31T03:55:00-07:00">3:55</abbr>';
  for (const footer of [
    '<footer><div class="footer-line">',
    '<div class="post-footer"><div class="post-footer-line"><div class="post-footer-line-1">',
  ])
    expect(read('en', '', '', `${footer}at ${date}</div>`).published).toBe('2016-03-31T03:55:00-07:00');
});

test('a name with the word of another language for "on" or "in" stays whole', () => {
  const names = [
    'Anne Le Goff',
    'Omar El Akkad',
    'Jan den Uyl',
    'Yves Le Marchand',
    'Im In Sun',
    'Lars den Store',
  ];
  for (const name of names)
    for (const tail of [
      '',
      ' on Monday',
      ' published 2 May 2024',
      ' | 2 May 2024',
      ' in London',
      ' am Montag',
    ])
      expect([tail, read('en', '', `<p class="byline">By ${name}${tail}</p>`).author]).toEqual([tail, name]);
});

const DATE = '<div class="date">July 12, 2021</div>';

test.each([
  [
    'a name, a role and minutes',
    '<div class="author-card byline"><img src="/l.jpg" alt="Portrait"><div class="byline__name">Levi Parsell</div><div class="byline__role">Senior Reporter, Daily Harbour</div><div class="byline__meta">July 12, 2021 · 4 min read</div><button>Follow</button></div>',
  ],
  [
    'a link and a time',
    '<div class="author-card"><a rel="author" href="/a/levi">Levi Parsell</a><span>Senior Reporter</span><time datetime="2021-07-12">July 12</time></div>',
  ],
  [
    'a property',
    '<div class="author-card"><span itemprop="author">Levi Parsell</span> · <span>July 12, 2021</span></div>',
  ],
  [
    'names of parts',
    '<div class="post-author-box"><span class="name">Levi Parsell</span><span class="date">July 12, 2021</span></div>',
  ],
  ['a bio by its name', `<div class="author-bio"><span class="author-name">Levi Parsell</span></div>${DATE}`],
  [
    'a card of an article',
    `<div class="article-author-card"><div class="author-name">By Levi Parsell</div></div>${DATE}`,
  ],
  [
    'a contributor',
    '<div class="contributor-card"><p class="contributor-name">Levi Parsell</p><p>Senior Reporter</p></div><p>Published July 12, 2021</p>',
  ],
])('a box about a person under the title is a byline: %s (trafilatura#91)', (_name, box) => {
  expect(read('en', '', box)).toMatchObject({ author: 'Levi Parsell', published: '2021-07-12' });
});

test.each([
  ['author-card', 'Levi Parsell'],
  ['post-author-box', 'Levi Parsell'],
  ['author-bio', 'Levi Parsell'],
  ['contributor-card', undefined],
  ['bio', undefined],
])('a box called %s with sentences, or after the text, names %s and no date', (name, author) => {
  const bio = (text: string) => `<div class="${name}"><span class="author">Levi Parsell</span> ${text}</div>`;
  const about = 'writes about cranes and the boats of small harbours. He lives on the quay.';
  expect(read('en', '', bio(about)).author).toBe(author);
  expect(read('en', '', '', bio('<time datetime="2021-07-12">July 12, 2021</time>'))).toMatchObject({
    author,
    published: undefined,
  });
});

const link = (name: string, href = `/author/${name[0]}`) => `<a href="${href}">${name}</a>`;
const ALL = 'Ann Lee, Bo Chan, Cy Dorn';

test.each([
  [
    'a line with "and"',
    `<div class="entry-meta">By ${link('Ann Lee')}, ${link('Bo Chan')} and ${link('Cy Dorn')} · March 15, 2017</div>`,
  ],
  ['a paragraph', `<p>By ${link('Ann Lee')}, ${link('Bo Chan')} and ${link('Cy Dorn')}, March 15, 2017</p>`],
  [
    'a list',
    `<ul class="authors"><li>${link('Ann Lee')}</li><li>${link('Bo Chan')}</li><li>${link('Cy Dorn')}</li></ul>`,
  ],
  [
    'a paper',
    `<div class="art-authors">${link('Ann Lee', '#')}<sup>1,*</sup>, ${link('Bo Chan', '#')}<sup>a</sup> and ${link('Cy Dorn', '#')}</div>`,
  ],
  [
    'boxes with names in them (pkp/bootstrap3#68)',
    '<div class="authors"><div class="author"><b class="name">Ann Lee</b></div><div class="author"><b class="name">Bo Chan</b></div><div class="author"><b class="name">Cy Dorn</b></div></div>',
  ],
  [
    'items of a list (zotero/translators#931)',
    '<ul class="authors"><li>Ann Lee</li><li>Bo Chan</li><li>Cy Dorn</li></ul>',
  ],
  [
    'pictures before the names',
    `<div class="byline"><a href="/author/A"><img src="/a.png"></a>${link('Ann Lee')}<a href="/author/B"><img src="/b.png"></a>${link('Bo Chan')} ${link('Cy Dorn')}</div>`,
  ],
])('all authors of a line are named: %s', (_name, line) => {
  expect(read('en', '', line).author).toBe(ALL);
});

test('a link beside the author names no further one', () => {
  const reviewed = `<p>By ${link('Ann Lee')} — reviewed by ${link('Bo Chan')}</p>`;
  expect(read('en', '', reviewed).author).toBe('Ann Lee');
  expect(
    read('en', '', `<div class="meta">${link('Ann Lee')} <a href="/topic/mills">Harbour Mills</a></div>`)
      .author,
  ).toBe('Ann Lee');
});

const metas = (...names: string[]) =>
  names.map((name) => `<meta name="citation_author" content="${name}">`).join('');

test.each([
  [
    'of metas (defuddle#118, htmldate#31)',
    metas('Solís, Diego', 'Ruiz, María', 'Campos, Lorena'),
    '<div class="authors"><a href="#">D. Solís</a><sup>1</sup>, <a href="#">M. Ruiz</a></div>',
    'Solís, Diego; Ruiz, María; Campos, Lorena',
  ],
  [
    'of the page',
    person({ '@type': 'Person', name: 'Ann Lee' }),
    `<div class="byline">By ${link('Ann Lee')} and ${link('Bo Chan')}</div>`,
    'Ann Lee, Bo Chan',
  ],
  [
    'of other people is none',
    metas('Ruiz, María', 'Campos, Lorena'),
    `<div class="byline">By ${link('Ann Lee')}</div>`,
    'Ann Lee',
  ],
])('a list with all of the authors and more wins: %s', (_name, head, above, author) => {
  expect(read('en', head, above).author).toBe(author);
});

test('names in capitals are spelled as the metadata spell them (newspaper4k#83)', () => {
  const head = '<meta name="author" content="Abby Good, Tom Kaplan and Bob Pear">';
  expect(read('en', head, '<p class="byline">By ABBY GOOD, TOM KAPLAN and BOB PEAR</p>').author).toBe(
    'Abby Good, Tom Kaplan, Bob Pear',
  );
});

/** A page's line of author and date, without classes, where the author is always Maria Lindqvist. */
const PARTED: readonly (readonly [lang: string, line: string])[] = [
  ['en', '<span>By Maria Lindqvist</span> <span>Harbour News</span>'],
  ['en', '<span>By Maria Lindqvist</span> <span>Harbour News</span> <span>6 May 2026</span>'],
  ['en', '<b>By Maria Lindqvist</b> <i>Harbour News</i> 6 May 2026'],
  ['en', 'By <a href="/p/ml">Maria Lindqvist</a> Harbour News 6 May 2026'],
  ['en', '<b>By Maria Lindqvist</b> Harbour News 6 May 2026'],
  ['en', '<span>Author: Maria Lindqvist</span> <span>Entry Date: 6 May 2026</span>'],
  ['en', 'Author: Maria Lindqvist Entry Date: 6 May 2026'],
  ['en', 'By Maria Lindqvist Last Updated: 6 May 2026'],
  [
    'tr',
    '<span class="yazar">Yazar: Maria Lindqvist</span> <span class="tarih">Giriş Tarihi: 14 Mart 2026</span>',
  ],
  ['tr', 'Yazar: Maria Lindqvist Son Güncelleme: 14 Mart 2026'],
  ['de', '<em>Von Maria Lindqvist</em> <em>Letzte Aktualisierung: 6. Mai 2026</em>'],
  ['en', 'By <span class="first-name">Maria</span> <span class="last-name">Lindqvist</span> 6 May 2026'],
  ['en', 'By <b>Maria</b> <b>Lindqvist</b>, 6 May 2026'],
];
test.each(PARTED)('a name that is complete within its element ends there: %s %s', (lang, line) => {
  expect(read(lang, '', `<p>${line}</p>`).author).toBe('Maria Lindqvist');
});

test.each([
  [
    'By <i itemprop="givenName">Juan Carlos</i> <i itemprop="familyName">Pérez</i> 6 May 2026',
    'Juan Carlos Pérez',
  ],
  [
    'By <span class="first">Juan Carlos</span> <span class="last">Pérez</span> 6 May 2026',
    'Juan Carlos Pérez',
  ],
  ['By <span>Juan Carlos</span> <span class="family-name">Pérez</span> 6 May 2026', 'Juan Carlos Pérez'],
  ['By <a href="/p/a">Ada Lake</a> and <a href="/p/b">Bo Ray</a> 6 May 2026', 'Ada Lake, Bo Ray'],
  ['By <a href="/p/a">Ada Lake</a>, <a href="/p/b">Bo Ray</a>', 'Ada Lake, Bo Ray'],
])('names of several elements stay whole: %s', (line, names) => {
  expect(read('en', '', `<p>${line}</p>`).author).toBe(names);
});

const about = (name: string, more: string) =>
  `<div class="${name}"><h4>About the author</h4><p><a href="/author/mira">Mira Holt</a> mends mills.${more}</p></div>`;
const MORE = ' <a href="/author/mira" rel="author">View more posts</a>';

test('the box about the author in the article names who wrote it, and a link to more texts is no name', () => {
  expect(read('en', '', '', about('author-box', MORE)).author).toBe('Mira Holt');
  expect(read('en', '', '', about('author-bio', MORE)).author).toBe('Mira Holt');
  expect(read('en', '', '', about('related-posts', MORE)).author).toBeUndefined();
  expect(read('en', '', '<p class="byline">By Ada Lake</p>', about('author-box', MORE)).author).toBe(
    'Ada Lake',
  );
});
