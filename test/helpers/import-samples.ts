import { zip } from './archives.ts';
import { CHROME_JSON, SPLIT_EXPORTS, sampleTexts } from './split-samples.ts';

/** Exports of other programs, as these write them. */

const node = (id: string, parent: string | null, message: unknown, children: string[] = []) => ({
  [id]: { id, parent, children, message },
});
const said = (role: string, text: string, at: number, more: object = {}) => ({
  author: { role, name: null },
  create_time: at,
  content: { content_type: 'text', parts: [text] },
  recipient: 'all',
  metadata: {},
  ...more,
});

export const CHATGPT_CONVERSATIONS = [
  {
    title: 'Sourdough for beginners',
    create_time: 1715176560.123,
    update_time: 1715176700.5,
    conversation_id: '0f3f-aa',
    current_node: 'd',
    mapping: {
      ...node('root', null, null, ['s']),
      ...node(
        's',
        'root',
        said('system', 'You are a helpful assistant.', 1715176560, {
          metadata: { is_visually_hidden_from_conversation: true },
        }),
        ['a'],
      ),
      ...node('a', 's', said('user', 'How much starter for 500 g of flour?', 1715176560), ['b', 'b2']),
      ...node('b2', 'a', said('assistant', 'The answer that was regenerated away.', 1715176570)),
      ...node(
        'b',
        'a',
        said(
          'assistant',
          'About 100 g\uE200cite\uE202turn0search0\uE201 of active starter【3†source】.',
          1715176580,
        ),
        ['t'],
      ),
      ...node('t', 'b', said('assistant', 'search("bread")', 1715176590, { recipient: 'browser' }), ['c']),
      ...node(
        'c',
        't',
        {
          ...said('user', '', 1715176640),
          content: {
            content_type: 'multimodal_text',
            parts: [
              { content_type: 'image_asset_pointer', asset_pointer: 'file-service://x' },
              'And this one?',
            ],
          },
        },
        ['d'],
      ),
      ...node('d', 'c', said('assistant', 'That loaf is underproofed.', 1715176700)),
    },
  },
  {
    title: 'Empty',
    create_time: 1715176560,
    id: 'e',
    current_node: 'x',
    mapping: { ...node('x', 'x', null) },
  },
];

export const CLAUDE_CONVERSATIONS = [
  {
    uuid: 'c1a0',
    name: 'Moving to Ghent',
    created_at: '2025-02-03T10:11:12.000000Z',
    updated_at: '2025-02-03T10:15:00.000000Z',
    account: { uuid: 'u' },
    chat_messages: [
      {
        uuid: 'm1',
        text: 'Which forms do I need?',
        content: [{ type: 'text', text: 'Which forms do I need?' }],
        sender: 'human',
        created_at: '2025-02-03T10:11:12.000000Z',
        attachments: [{ file_name: 'lease.txt', extracted_content: 'The lease begins on 1 March.' }],
        files: [],
      },
      {
        uuid: 'm2',
        text: '',
        content: [
          { type: 'thinking', thinking: 'hidden thoughts' },
          { type: 'text', text: 'Register at the town hall within eight days.' },
        ],
        sender: 'assistant',
        created_at: '2025-02-03T10:12:00.000000Z',
        attachments: [],
        files: [],
      },
    ],
  },
];

const ID = (n: number) => n.toString(16).padStart(32, '0');
export const NOTION_FILES: Readonly<Record<string, string>> = {
  [`Home ${ID(1)}.md`]: `# Home\n\nWelcome. See [Plans](Plans%20${ID(2)}.md).\n`,
  [`Home ${ID(1)}/Plans ${ID(2)}.md`]: '# Plans\n\nBuild a shed in **May**.\n',
  [`Tasks ${ID(3)}.csv`]: '\uFEFFName,Status\nPaint the fence,Open\n',
  [`Tasks ${ID(3)}_all.csv`]:
    '\uFEFFName,Status,Tags,Created\nPaint the fence,Open,"home, garden","April 1, 2023 10:00 AM"\nCall Ada,Done,,\n',
  [`Tasks ${ID(3)}/Call Ada ${ID(4)}.md`]:
    '# Call Ada\n\nStatus: Done\nTags: people, phone\nCreated: April 2, 2023 9:30 AM\nURL: https://ada.example/\n\nShe will bring the ladder.\n',
  'Home/picture.png': 'no text',
};

export const VAULT_FILES: Readonly<Record<string, string>> = {
  'Daily/2024-05-08.md':
    '---\ntags: [journal, family]\ncreated: 2024-05-08T07:30:00\nmood: calm\n---\nWalked with [[Anna Berg]] to the mill. #walks/long\n',
  'People/Anna Berg.md':
    '---\ntitle: Anna Berg\ntags: people\naliases:\n  - Anna\n---\n# Anna\n\nHer birthday is on 3 June. See [the photo](../img/anna.jpg).\n',
  'plain.txt': 'No front matter here.',
  'img/anna.jpg': 'no text',
};

export const POCKET_CSV =
  'title,url,time_added,tags,status\nHow bridges stand,https://bridges.example/stand,1700000000,engineering|long read,unread\nhttps://x.example/,https://x.example/,1700000100,,archive\nA script,javascript:alert(1),1700000200,,unread\n';
export const POCKET_HTML =
  '<!DOCTYPE html><html><head><title>Pocket Export</title></head><body><h1>Unread</h1><ul><li><a href="https://old.example/a?b=1&amp;c=2" time_added="1400000000" tags="cooking,soup">Soup &amp; bread</a></li></ul><h1>Read Archive</h1><ul><li><a href="https://old.example/b" time_added="1400000001" tags="">B</a></li></ul></body></html>';

export const BOOKMARKS_HTML = `<!DOCTYPE NETSCAPE-Bookmark-file-1>
<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">
<TITLE>Bookmarks</TITLE>
<H1>Bookmarks</H1>
<DL><p>
    <DT><H3 ADD_DATE="1600000000" PERSONAL_TOOLBAR_FOLDER="true">Bookmarks bar</H3>
    <DL><p>
        <DT><A HREF="https://news.example/" ADD_DATE="1600000001" ICON="data:image/png;base64,AAAA">News</A>
        <DT><H3 ADD_DATE="1600000002">Recipes</H3>
        <DL><p>
            <DT><A HREF="https://soup.example/leek" ADD_DATE="1600000003" TAGS="soup,winter">Leek soup</A>
            <DD>The one with potatoes
            <DT><A HREF="javascript:void(0)">Bookmarklet</A>
        </DL><p>
        <DT><A HREF="https://after.example/" ADD_DATE="1600000004">After the folder</A>
    </DL><p>
</DL><p>`;

export const MEM0_JSON = JSON.stringify({
  results: [
    {
      id: '5b8a',
      memory: 'Prefers tea to coffee',
      hash: 'x',
      metadata: { category: 'food' },
      categories: ['preferences'],
      created_at: '2024-10-10T10:00:00.000000-07:00',
      updated_at: null,
      user_id: 'alex',
    },
    { id: '5b8b', memory: ' ', created_at: '2024-10-10T10:00:00Z' },
  ],
});

export const JSONL_LINES = [
  {
    text: 'Our own line',
    title: 'Own',
    tags: ['a'],
    source: 's',
    createdAt: 1700000000000000,
    updatedAt: 1700000000000001,
    id: 'x-1700000000000000',
  },
  {
    page_content: 'A line of a document store',
    metadata: { source: 'https://store.example/', created_at: '2024-01-02T03:04:05Z' },
  },
  { type: 'entity', name: 'Ada', entityType: 'person', observations: ['Plays chess', 'Lives in Ghent'] },
  { type: 'relation', from: 'Ada', to: 'Bea', relationType: 'is a sister of' },
]
  .map((line) => JSON.stringify(line))
  .join('\n');

const KEEP_NOTE = {
  color: 'DEFAULT',
  isTrashed: false,
  isPinned: true,
  isArchived: false,
  listContent: [
    { text: 'Eggs', isChecked: true },
    { text: 'Flour, 1.50 kg', isChecked: false },
  ],
  annotations: [
    { description: 'With leeks', source: 'WEBLINK', title: 'Soup', url: 'https://soup.example/' },
  ],
  attachments: [{ filePath: 'soup.jpg', mimetype: 'image/jpeg' }],
  title: 'Shopping',
  userEditedTimestampUsec: 1690866308447000,
  createdTimestampUsec: 1690372692755000,
  labels: [{ name: 'home, kitchen' }, { name: 'food' }],
};

export const ENEX = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE en-export SYSTEM "http://xml.evernote.com/pub/evernote-export4.dtd">
<en-export export-date="20230221T101035Z" application="Evernote" version="10.52.8">
  <note>
    <title>Trip &amp; plans</title>
    <created>20230121T093733Z</created>
    <updated>20230121T101027Z</updated>
    <tag>travel, far</tag>
    <note-attributes><author>ann</author><source>web.clip</source><source-url>https://trip.example/</source-url></note-attributes>
    <content><![CDATA[<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<!DOCTYPE en-note SYSTEM "http://xml.evernote.com/pub/enml2.dtd"><en-note><h2>Packing</h2><div><en-todo checked="true"/>Passport</div><ul style="--en-todo:true;"><li style="--en-checked:false;"><div>Charger</div></li><ul><li><div>Cable</div></li></ul></ul><div style="-en-codeblock:true;"><div>one</div><div>two</div></div><en-media type="image/png" hash="ab"/><en-crypt hint="x">c2VjcmV0</en-crypt></en-note>]]></content>
    <task><title>Book</title><created>20230121T093733Z</created><taskStatus>completed</taskStatus><sortWeight>C</sortWeight></task>
    <resource><data encoding="base64">iVBORw0KGgo=</data><mime>image/png</mime><resource-attributes><file-name>map.png</file-name></resource-attributes></resource>
  </note>
  <note><title>Only a title</title><created>20230122T093733Z</created><content><![CDATA[<en-note/>]]></content></note>
</en-export>
`;

const joplinItem = (head: string, fields: Readonly<Record<string, string>>) =>
  `${head}${head === '' ? '' : '\n\n'}${Object.entries(fields)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')}`;
const [NOTE_ID, FOLDER_ID, TAG_ID] = ['a', 'b', 'c'].map((sign) => sign.repeat(32));
export const JOPLIN_FILES: Readonly<Record<string, string>> = {
  [`${NOTE_ID}.md`]: joplinItem('Knots\n\nA reef knot.\n\nlength: 1.10', {
    id: NOTE_ID ?? '',
    parent_id: FOLDER_ID ?? '',
    created_time: '2020-04-15T18:52:38.528Z',
    updated_time: '2022-05-05T02:36:59.084Z',
    source_url: '',
    latitude: '0.00000000',
    is_todo: '1',
    user_created_time: '2020-04-15T18:52:38.528Z',
    encryption_applied: '0',
    type_: '1',
  }),
  [`${FOLDER_ID}.md`]: joplinItem('Boats', { id: FOLDER_ID ?? '', parent_id: '', type_: '2' }),
  [`${TAG_ID}.md`]: joplinItem('rope', { id: TAG_ID ?? '', type_: '5' }),
  [`${'d'.repeat(32)}.md`]: joplinItem('', {
    id: 'd'.repeat(32),
    note_id: NOTE_ID ?? '',
    tag_id: TAG_ID ?? '',
    type_: '6',
  }),
  [`${'e'.repeat(32)}.md`]: joplinItem('knot.png', { id: 'e'.repeat(32), mime: 'image/png', type_: '4' }),
};

export const GEMINI_PAGE =
  '<html><body><div class="outer-cell mdl-cell"><div class="mdl-grid"><div class="header-cell"><p>Gemini Apps<br></p></div><div class="content-cell mdl-cell">Prompted\u00a0how deep &amp; wide?<br>Jul 1, 2025, 10:00:00\u202fAM CEST<br><p>About <b>4.20</b> m.</p></div><div class="content-cell mdl-cell"><b>Products:</b><br>Gemini Apps<br></div></div></div></body></html>';

export const RECORD_EXPORTS = {
  keep: {
    'Takeout/Keep/Shopping.json': JSON.stringify(KEEP_NOTE),
    'Takeout/Keep/Shopping.html': '<html></html>',
    'Takeout/Keep/Old.json': JSON.stringify({ ...KEEP_NOTE, isTrashed: true }),
    'Takeout/Keep/soup.jpg': 'no text',
  },
  evernote: { 'Trips.enex': ENEX },
  dayOne: {
    'Journal.json': JSON.stringify({
      metadata: { version: '1.0' },
      entries: [
        {
          uuid: 'A1',
          creationDate: '2018-05-18T23:59:54Z',
          modifiedDate: '2018-05-19T00:10:00Z',
          starred: true,
          creationDevice: 'Phone',
          richText: '{}',
          text: 'Snacks for 9.50',
          tags: ['two words'],
          photos: [{ md5: '2b' }],
          location: { placeName: 'Logan Airport' },
        },
      ],
    }),
  },
  roam: {
    'roam.json': JSON.stringify([
      {
        title: 'Harbour',
        'create-time': 1709251200000,
        'edit-time': 1709337600000,
        uid: 'p1',
        ':create/user': { ':user/uid': 'x' },
        children: [
          {
            string: 'Call [[Ada]]',
            uid: 'b1',
            'create-time': 1709251200001,
            children: [{ string: 'at 10' }],
          },
          { string: '', uid: 'b2' },
          { string: 'two\nlines', uid: 'b3' },
        ],
      },
    ]),
  },
  simplenote: {
    'source/notes.json': JSON.stringify(
      {
        activeNotes: [
          {
            id: 'a1',
            content: 'Kort\r\n\r\nEn rad.',
            creationDate: '2012-02-29T01:25:45.000Z',
            lastModified: '2019-04-18T09:00:00.000Z',
            tags: ['x'],
          },
        ],
        trashedNotes: [{ id: 't', content: 'gone', creationDate: '2011-01-01T00:00:00.000Z' }],
      },
      null,
      2,
    ),
  },
  standardNotes: {
    'backup.txt.json': JSON.stringify({
      version: '004',
      items: [
        {
          uuid: 'n1',
          content_type: 'Note',
          created_at: '2024-07-15T12:00:00.000Z',
          updated_at: '2024-07-16T12:00:00.000Z',
          content: { title: 'Quay', text: 'Rope', references: [], appData: {} },
        },
        { uuid: 'n2', content_type: 'Note', content: { title: 'Gone', text: 'no', trashed: true } },
        {
          uuid: 't1',
          content_type: 'Tag',
          content: {
            title: 'harbour',
            references: [
              { uuid: 'n1', content_type: 'Note' },
              { uuid: 't2', content_type: 'Tag' },
            ],
          },
        },
        { uuid: 't2', content_type: 'Tag', content: { title: 'sea', references: [] } },
        { uuid: 'c', content_type: 'SN|Component', content: { name: 'Editor' } },
      ],
    }),
  },
  gemini: {
    'MyActivity.json': JSON.stringify([
      {
        header: 'Gemini Apps',
        title: 'Prompted how deep is\nthe quay?',
        time: '2026-07-26T06:07:57.773Z',
        products: ['Gemini Apps'],
        safeHtmlItem: [{ html: '<p>About <b>4.20</b> m.</p><ul><li>one</li></ul>' }],
      },
      { header: 'Gemini Apps', title: 'Used Gemini', time: '2026-07-25T06:07:57.773Z' },
    ]),
  },
  geminiPage: { 'MyActivity.html': GEMINI_PAGE },
  joplin: JOPLIN_FILES,
  others: {
    'export.json': JSON.stringify({
      notes: [
        { id: 5, name: 'Oars', body: 'Two oars', authors: [{ name: 'Ada', role: 'cox' }], done: false },
      ],
    }),
  },
};

export const FIREFOX_JSON = JSON.stringify({
  title: '',
  type: 'text/x-moz-place-container',
  root: 'placesRoot',
  children: [
    {
      title: 'menu',
      root: 'bookmarksMenuFolder',
      type: 'text/x-moz-place-container',
      children: [
        {
          title: 'Sea',
          type: 'text/x-moz-place-container',
          children: [
            {
              title: 'A & <b>',
              uri: 'https://a.example/?x=1&y="2"',
              dateAdded: 1529484963727000,
              tags: 'one,two',
              keyword: 'kk',
              iconUri: 'https://icon.example/',
              annos: [{ name: 'bookmarkProperties/description', value: 'A note' }],
            },
            { type: 'text/x-moz-place-separator' },
            { title: 'Recent', uri: 'place:sort=8' },
          ],
        },
      ],
    },
  ],
});

/** By the kind that each is: the files of one export. */
const CHATS = {
  telegram: {
    'result.json': JSON.stringify({
      name: 'Ann Berg',
      type: 'personal_chat',
      id: 5,
      messages: [
        {
          id: 1,
          type: 'message',
          date: '2024-03-05T11:11:12',
          date_unixtime: '1709633472',
          from: 'Ann Berg',
          from_id: 'user1',
          text: 'Hello',
          text_entities: [{ type: 'plain', text: 'Hello' }],
        },
        {
          id: 2,
          type: 'message',
          date_unixtime: '1709633532',
          from: 'Bob',
          text: [
            'See ',
            { type: 'text_link', text: 'the table', href: 'https://t.example/' },
            ' or ',
            { type: 'link', text: 'https://u.example/' },
            { type: 'bold', text: ' now' },
            { type: 'pre', text: 'x = 1', language: 'py' },
          ],
          reply_to_message_id: 1,
        },
        { id: 3, type: 'service', date_unixtime: '1709633533', actor: 'Bob', action: 'phone_call', text: '' },
        { id: 4, type: 'message', date_unixtime: '1709633534', from: 'Bob', photo: 'photos/p.jpg', text: '' },
        { id: 5, type: 'message', date_unixtime: '1709633535', from: 'Bob', width: 3, text: '' },
      ],
    }),
  },
  slack: {
    'channels.json': '[]',
    'general/2024-03-05.json': JSON.stringify([
      {
        type: 'message',
        user: 'U1',
        text: 'See <https://t.example/|the table> &amp; <https://u.example/>, <@U2> in <#C1|tides>',
        ts: '1709633472.000100',
      },
      { type: 'message', user: 'U2', text: 'Done', ts: '1709633473.000100', files: [{ name: 'a.png' }] },
    ]),
    'users.json': JSON.stringify([
      { id: 'U1', name: 'ann', profile: { real_name: 'Ann Berg' } },
      { id: 'U2', name: 'bob' },
    ]),
  },
  discord: {
    'chat.json': JSON.stringify({
      guild: { id: '1', name: 'Sea' },
      channel: { id: '2', name: 'tides' },
      messages: [
        {
          id: '3',
          timestamp: '2024-03-05T10:11:12+00:00',
          content: 'High water',
          author: { id: '4', name: 'ann', nickname: 'Ann' },
          attachments: [{ id: '7', url: 'https://d.example/x.png', fileName: 'x.png' }],
        },
      ],
    }),
  },
  messenger: {
    'messages/inbox/ann_1/message_1.json': JSON.stringify({
      participants: [{ name: 'J@rg' }],
      messages: [
        { sender_name: 'Bob', timestamp_ms: 1709633532000, content: 'Two' },
        {
          sender_name: 'J@rg',
          timestamp_ms: 1709633472000,
          content: 'One',
          share: { link: 'https://s.example/' },
        },
      ],
      title: 'J@rg',
    }).replaceAll('@', '\\u00c3\\u00b6'),
  },
};

export const EXPORTS: Readonly<Record<string, Readonly<Record<string, string>>[]>> = {
  chatgpt: [
    { 'conversations.json': JSON.stringify(CHATGPT_CONVERSATIONS) },
    {
      'conversations-000.json': JSON.stringify(CHATGPT_CONVERSATIONS),
      'user.json': '{}',
      'chat.html': '<html></html>',
    },
  ],
  claude: [
    { 'conversations.json': JSON.stringify(CLAUDE_CONVERSATIONS) },
    {
      'conversations.json': JSON.stringify(CLAUDE_CONVERSATIONS),
      'projects.json': JSON.stringify([
        {
          uuid: 'p1',
          name: 'House',
          prompt_template: 'Answer in Dutch.',
          created_at: '2025-01-01T00:00:00Z',
          docs: [
            { uuid: 'd1', filename: 'plan.md', content: 'Three rooms.', created_at: '2025-01-02T00:00:00Z' },
          ],
        },
      ]),
      'users.json': '[]',
    },
  ],
  notion: [NOTION_FILES],
  obsidian: [
    VAULT_FILES,
    { 'note.md': 'Only one note.' },
    {
      'Notes/Rope.html':
        '<html><head><title>Rope</title></head><body><div>One <b>rope</b></div></body></html>',
    },
  ],
  pocket: [{ 'part_000000.csv': POCKET_CSV }, { 'ril_export.html': POCKET_HTML }],
  bookmarks: [
    { 'bookmarks.html': BOOKMARKS_HTML },
    { 'bookmarks-2026.json': FIREFOX_JSON },
    { Bookmarks: CHROME_JSON },
  ],
  records: [
    ...Object.values(RECORD_EXPORTS),
    ...Object.values(SPLIT_EXPORTS).map((write) => write(sampleTexts())),
    {
      'pinboard.json':
        '[{"href": "https://a.example/", "description": "Rope", "extended": "x", "tags": "a b"}]',
    },
    {
      'metadata_0_to_20.json': '[{"id": "u", "slug": "tide", "title": "Tide", "url": "https://w.example/"}]',
      'content/tide.html': '<p>High</p>',
      'highlights/tide.md': '> High',
    },
    {
      'My Clippings.txt':
        'The Tide (Ann)\n- Your Highlight on page 12 | Added on Tuesday, 5 March 2024 10:11:12\n\nHigh\n==========\n',
    },
    {
      'Note.json':
        '{"root": {"type": "root", "children": [{"type": "paragraph", "children": [{"text": "x"}]}]}}',
    },
    { 'Delta.json': '{"ops": [{"insert": "Rope"}, {"insert": "\\n", "attributes": {"header": 1}}]}' },
    { 'Blocks.json': '{"time": 1, "blocks": [{"type": "paragraph", "data": {"text": "Rope"}}]}' },
  ],
  mem0: [
    { 'memories.json': MEM0_JSON },
    { 'export.json': JSON.stringify([{ id: 'm', memory: 'Has a dog' }]) },
  ],
  chats: Object.values(CHATS),
  jsonl: [{ 'lines.jsonl': JSONL_LINES }, { 'backup.txt': JSONL_LINES }],
};

export function zipped(files: Readonly<Record<string, string | Uint8Array>>): Uint8Array {
  return zip(files);
}
