import { zip } from './archives.ts';

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

/** By the kind that each is: the files of one export. */
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
  obsidian: [VAULT_FILES, { 'note.md': 'Only one note.' }],
  pocket: [{ 'part_000000.csv': POCKET_CSV }, { 'ril_export.html': POCKET_HTML }],
  bookmarks: [{ 'bookmarks.html': BOOKMARKS_HTML }],
  mem0: [
    { 'memories.json': MEM0_JSON },
    { 'export.json': JSON.stringify([{ id: 'm', memory: 'Has a dog' }]) },
  ],
  jsonl: [{ 'lines.jsonl': JSONL_LINES }, { 'backup.txt': JSONL_LINES }],
};

export function zipped(files: Readonly<Record<string, string | Uint8Array>>): Uint8Array {
  return zip(files);
}
