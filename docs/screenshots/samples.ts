/** Sample content of the pictures: about magpies, made up where it names people or places. */

export interface SamplePage {
  readonly host: string;
  readonly path: string;
  readonly title: string;
  readonly snippet: string;
  readonly day: string;
  readonly html: string;
}

type Words = Omit<SamplePage, 'html'> & { readonly text: readonly string[] };

const WORDS: readonly Words[] = [
  {
    host: 'en.birdlore.example',
    path: '/wiki/Mirror_test',
    title: 'Mirror test',
    day: '2026-03-12',
    snippet: 'Magpies are the first birds known to recognise themselves in a mirror.',
    text: [
      'European magpies are the first animals other than mammals that are known to recognise themselves. A bird with a coloured mark on its throat, which it can see in a mirror alone, tries to remove the mark from its own body.',
      'The mark of the control group was black on black feathers. Birds that could not see their mark in the mirror took no notice of it, so they recognise themselves by what they see and not by what they feel.',
      'Apes, dolphins and elephants had passed the test before. The cerebral cortex, which birds do not have, is therefore not needed to recognise oneself.',
    ],
  },
  {
    host: 'journal.cognition.example',
    path: '/2008/magpies',
    title: 'Mirror-induced behaviour in the magpie: evidence of self-recognition',
    day: '2008-08-19',
    snippet: 'Two of five magpies passed the mark test in all of their trials.',
    text: [
      'Two of the five magpies showed behaviour that was directed at the mark in every trial with a mirror, and none in the trials without a mirror or with a mark that could not be seen.',
      'Each bird had seen mirrors for some hours before the test. Three looked behind the mirror at first, as birds do that take the reflection for a rival, and two of these recognised themselves in the end.',
      'We conclude that magpies recognise themselves in a mirror, and that this has developed apart from the mammals, over three hundred million years.',
    ],
  },
  {
    host: 'fieldnotes.example',
    path: '/corvids/do-crows-know',
    title: 'Do crows know what they see in a mirror?',
    day: '2026-05-02',
    snippet: 'A year of trials with crows, jackdaws and magpies.',
    text: [
      'Magpies recognise themselves after four hours with a mirror on average. Jackdaws and carrion crows did not pass in the same set-up, though carrion crows used the mirror to find hidden food.',
      'A sticker that the birds can feel is not a fair test. Trials that were done again with paint gave the result of the first study, with six magpies of nine.',
    ],
  },
  {
    host: 'museum-of-birds.example',
    path: '/magpie',
    title: 'The magpie: a short portrait',
    day: '2025-11-28',
    snippet: 'Nest, food, voice and mind of a bird of the town.',
    text: [
      'Magpies build a domed nest of thorny twigs, lined with mud, and use it once. Pairs stay together for years and keep a territory around it.',
      'They hide food and remember the place, count up to small numbers, and recognise themselves in a mirror, as few animals do.',
    ],
  },
  {
    host: 'shiny-things.example',
    path: '/myth',
    title: 'Magpies do not steal shiny things',
    day: '2024-01-15',
    snippet: 'Researchers offered them foil, rings and nuts. They took the nuts.',
    text: [
      'Sixty-four trials with wild magpies showed the opposite of the saying: near shiny things they fed less, and took a ring from its place twice only, to drop it at once.',
    ],
  },
];

export const PAGES: readonly SamplePage[] = WORDS.map(({ text, ...page }) => ({
  ...page,
  html: `<!doctype html><html lang="en"><head><title>${page.title}</title><meta property="article:published_time" content="${page.day}T08:00:00Z"></head><body><article><h1>${page.title}</h1>${text.map((one) => `<p>${one}</p>`).join('\n')}</article></body></html>`,
}));

/** As `upsertjson` takes them. */
export const NOTES: readonly object[] = [
  {
    q: 'Order magnesium-free thistle seed. The garden feeder needs the large tray from October on.',
    title: 'Feeder, winter',
    tags: ['garden', 'shopping'],
  },
  {
    q: 'Pair in the hawthorn by the gate: nest finished on 2 April, first chick seen on 9 May. The same two birds as last year, by the ring.',
    title: 'The hawthorn pair',
    tags: ['birds', 'diary'],
    source: 'Diary, May 2026',
  },
  {
    q: 'Talk at the society on 14 January: 20 minutes, corvid minds for beginners. Show the mirror video first, then the study.',
    title: 'Talk in January',
    tags: ['talk'],
  },
  {
    q: 'How magpies recognise themselves: ask Dr Prior’s group for the raw videos. In the paper two of five birds pass; what do the other three do?',
    title: 'Mirror test, raw videos',
    tags: ['birds', 'talk'],
    source: 'https://journal.cognition.example/2008/magpies',
  },
];

/** Those in the trash. */
export const DELETED: readonly object[] = [
  { q: 'Borrowed the long ladder from Ruiz. Bring it back before Easter.', title: 'Ladder' },
  { q: 'Seed list of last winter, out of date.', title: 'Seeds, 2025', tags: ['garden'] },
];
