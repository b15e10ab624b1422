/** Exports whose records are put together from several places of a file. Each function takes the texts to write. */

type Files = Readonly<Record<string, string>>;
export type Next = () => string;

const json = (value: unknown): string => JSON.stringify(value, undefined, 1);

export const SPLIT_EXPORTS: Readonly<Record<string, (next: Next) => Files>> = {
  trello: (next) => ({
    'board.json': json({
      id: '60a1b2c3d4e5f60718293a4b',
      name: next(),
      desc: next(),
      labels: [{ id: 'l1', idBoard: '60a1b2c3d4e5f60718293a4b', name: 'urgent' }],
      customFields: [
        { id: 'f1', name: 'Price' },
        { id: 'f2', name: 'State', options: [{ id: 'o1', value: { text: 'afloat' } }] },
      ],
      lists: [{ id: 'li1', name: next() }],
      members: [{ id: 'm1', fullName: next() }],
      cards: [
        {
          id: '65e5a1b2c3d4e5f60718293a',
          name: next(),
          desc: next(),
          closed: true,
          idList: 'li1',
          idMembers: ['m1'],
          labels: [{ id: 'l1', name: 'urgent', color: 'red' }],
          due: '2026-12-10T11:00:00.000Z',
          dateLastActivity: '2026-11-12T09:00:00.000Z',
          url: 'https://trello.example/c/1',
          attachments: [{ id: 'a', name: next(), url: 'https://trello.example/plan.pdf' }],
          customFieldItems: [
            { idCustomField: 'f1', value: { number: '12.50' } },
            { idCustomField: 'f2', idValue: 'o1', value: null },
          ],
          pos: 16_384,
        },
      ],
      checklists: [
        {
          idCard: '65e5a1b2c3d4e5f60718293a',
          name: next(),
          checkItems: [
            { name: next(), state: 'complete', due: null },
            { name: next(), state: 'incomplete', due: '2026-12-01' },
          ],
        },
      ],
      actions: [
        {
          type: 'commentCard',
          date: '2026-11-12T09:00:00.000Z',
          data: { text: next(), card: { id: '65e5a1b2c3d4e5f60718293a' } },
          memberCreator: { fullName: next() },
        },
        { type: 'commentCard', data: { text: 'gone', card: { id: 'x' } } },
        { type: 'updateCard', data: { card: { id: '65e5a1b2c3d4e5f60718293a' } } },
      ],
    }),
  }),
  tiddlywiki: (next) => ({
    'tiddlers.json': json([
      {
        created: '20240304101112000',
        modified: '20240305080000',
        title: next(),
        text: next(),
        tags: '[[for sale]] port',
        caption: next(),
      },
      { created: '20230101090000000', title: '$:/config/Theme', text: 'dark' },
    ]),
  }),
  mastodon: (next) => ({
    'outbox.json': json({
      orderedItems: [
        {
          id: 'https://sea.example/1/activity',
          type: 'Create',
          object: {
            id: 'https://sea.example/1',
            published: '2026-03-04T10:11:12Z',
            url: 'https://sea.example/@kim/1',
            summary: next(),
            content: `<p>${next().replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</p>`,
            attachment: [{ type: 'Document', url: '/media/1.jpg', name: next() }],
            tag: [{ type: 'Hashtag', name: '#port' }],
            oneOf: [{ type: 'Note', name: next() }],
          },
        },
        { type: 'Announce', object: 'https://other.example/9' },
      ],
    }),
    'actor.json': '{"type":"Person"}',
  }),
  facebook: (next) => {
    const post = (text: string) => ({
      timestamp: 1_709_547_072,
      data: [{ post: text }],
      title: `Jürgen: ${next()}`,
    });
    const written = json([post(next()), post(next())]).replace(/\P{ASCII}+/gu, (letters) =>
      Array.from(Buffer.from(letters), (byte) => `\\u00${byte.toString(16)}`).join(''),
    );
    return { 'posts_1.json': written };
  },
  starred: (next) => ({
    'starred.json': json({
      items: [
        {
          id: 'tag:google.com,2005:reader/item/1',
          title: next(),
          published: 1_527_776_095,
          author: next(),
          categories: ['user/1/state/com.google/starred', 'user/1/label/Port & sea'],
          alternate: [{ href: 'https://news.example/1', type: 'text/html' }],
          content: { content: `${next().replaceAll('&', '&amp;').replaceAll('<', '&lt;')} <b>bold</b> end` },
          origin: { streamId: 'feed/1', title: next(), htmlUrl: 'https://news.example/' },
        },
      ],
    }),
  }),
  kindle: (next) => {
    const clipping = (place: string, text: string) =>
      `\uFEFF[Part 1] The lighthouse (Aldana, Ines)\r\n- ${place}\r\n\r\n${text}\r\n==========\r\n`;
    const clippings = [
      clipping('Your Highlight on page 12 | Added on Wednesday, March 4, 2026 8:40:13 PM', next()),
      clipping('Ihre Notiz auf Seite 14 | Hinzugefügt am Donnerstag, 5. März 2026 07:12:44', next()),
      clipping('Your Bookmark on page 15 | Added on Friday, March 6, 2026 8:40:13 PM', ''),
    ];
    return { 'My Clippings.txt': clippings.join('') };
  },
  roam: (next) => ({
    'graph.json': json([
      {
        title: next(),
        'create-time': 1_772_500_000_000,
        children: [{ string: next(), uid: 'kQ3_x9Abc', children: [{ string: next(), uid: 'mM4-y8Def' }] }],
      },
      { title: next(), 'create-time': 1_773_040_000_001, children: [{ string: `${next()} ((kQ3_x9Abc))` }] },
    ]),
  }),
};

const SAMPLE_TEXTS = ['quay', 'Möwe 1.10', 'лодка', '小舟', '[[x]] R&D', '#a a_b', '3 < 4'];

export function sampleTexts(): Next {
  let number = 0;
  return () => `${SAMPLE_TEXTS[number % SAMPLE_TEXTS.length]} ${++number}`;
}

export const CHROME_JSON = json({
  checksum: '5f1c',
  roots: {
    bookmark_bar: {
      children: [
        {
          name: 'Recipes',
          type: 'folder',
          children: [
            {
              date_added: '13354020672000000',
              name: 'Leek <tart>',
              type: 'url',
              url: 'https://kitchen.example/tart?n=4',
              meta_info: { Nickname: 'tart', Description: 'With goat cheese' },
            },
          ],
        },
        { date_added: '13396428000000000', name: 'Tides', type: 'url', url: 'https://tides.example/' },
      ],
      name: 'Bookmarks bar',
      type: 'folder',
    },
    other: { children: [], name: 'Other bookmarks', type: 'folder' },
  },
  version: 1,
});
