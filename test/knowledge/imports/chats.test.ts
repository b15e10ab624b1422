import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ImportItem } from '../../../src/knowledge/importing/import-kind.ts';
import { chatgpt } from '../../../src/knowledge/imports/chatgpt.ts';
import { chats } from '../../../src/knowledge/imports/messengers/chats.ts';
import { itemsOf, recognised } from '../../contracts/import-kind.ts';
import { EXPORTS } from '../../helpers/import-samples.ts';

/** What chats become: an entry a chat, with who wrote what and when. */

const read = (files: Readonly<Record<string, string | Uint8Array>> = {}) => itemsOf(chats, files);
const [telegram, slack, discord, messenger] = EXPORTS.chats ?? [];
const textsOf = (items: readonly ImportItem[]) =>
  items.flatMap((item) => ('entry' in item ? [item.entry.text] : []));
const skippedOf = (items: readonly ImportItem[]) =>
  items.flatMap((item) => ('skipped' in item ? [[item.at, item.skipped, item.count]] : []));
const DETAIL = 'an id, a size or another detail of the program';

test('Telegram: rich texts keep their links and code, and calls and pictures are named', async () => {
  const items = await read(telegram);
  expect(items[0]).toEqual({
    at: 'result.json, chat 1 (Ann Berg)',
    entry: {
      title: 'Ann Berg',
      source: 'result.json',
      key: 'chat:5',
      createdAt: 1709633472000000,
      updatedAt: 1709633534000000,
      text: [
        '[2024-03-05 10:11] Ann Berg: Hello',
        '[2024-03-05 10:12] Bob: See [the table](https://t.example/) or https://u.example/ now\n```py\nx = 1\n```',
        '[2024-03-05 10:12] Bob: action: phone_call',
        '[2024-03-05 10:12] Bob: photo: photos/p.jpg',
      ].join('\n\n'),
    },
  });
  expect(skippedOf(items)).toEqual([
    ['result.json', DETAIL, 17],
    ['result.json', 'a message without text', 1],
  ]);
});

test('Slack: users have their names, and links their addresses', async () => {
  const items = await read(slack);
  expect(textsOf(items)).toEqual([
    '[2024-03-05 10:11] Ann Berg: See [the table](https://t.example/) & https://u.example/, @bob in #tides\n\n[2024-03-05 10:11] bob: Done\nfiles.0.name: a.png',
  ]);
  expect(skippedOf(items)).toEqual([
    ['general/2024-03-05.json', DETAIL, 2],
    ['channels.json', 'not a file of messages (.json)', undefined],
    ['users.json', 'not a file of messages (.json)', undefined],
  ]);
  const broken = await read({ ...slack, 'users.json': '[{' });
  expect(textsOf(broken)).toEqual([expect.stringContaining('U2: Done')]);
});

test('Slack: replies follow the message that began their thread', async () => {
  const said = (text: string, second: number, more: object = {}) => ({
    type: 'message',
    user: 'U1',
    text,
    ts: `17726130${second}.000200`,
    ...more,
  });
  const thread = { thread_ts: '1772613010.000200' };
  const replies = [{ user: 'U1', ts: '1772613030.000200' }];
  const list = [
    said('parent', 10, { ...thread, reply_count: 1, reply_users: ['U1'], replies }),
    said('other', 20),
    said('reply', 30, thread),
  ];
  const items = await read({ 'general/2026-03-04.json': JSON.stringify(list) });
  expect(textsOf(items)).toEqual([
    '[2026-03-04 08:30] U1: parent\n\n[2026-03-04 08:30] U1: reply\n\n[2026-03-04 08:30] U1: other',
  ]);
  expect(items[0]).toMatchObject({ entry: { updatedAt: 1_772_613_030_000_200 } });
});

test('Discord and Messenger: names, attachments and links are kept, in the order of time', async () => {
  expect(textsOf(await read(discord))).toEqual([
    'guild.name: Sea\nchannel.name: tides\n\n[2024-03-05 10:11] Ann: High water\nattachments.0.url: https://d.example/x.png\nattachments.0.fileName: x.png',
  ]);
  expect(textsOf(await read(messenger))).toEqual([
    'participants.0.name: Jörg\n\n[2024-03-05 10:11] Jörg: One\nshare.link: https://s.example/\n\n[2024-03-05 10:12] Bob: Two',
  ]);
});

test('Matrix: each message is there once, with the text of its last edit and the name of its sender', async () => {
  const text = fc.stringMatching(/^[a-z]{3,9}( [a-z]{3,9}){0,2}$/);
  const message = fc.record({ said: text, edits: fc.array(text, { maxLength: 2 }), isReply: fc.boolean() });
  const list = fc.array(message, { minLength: 1, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(list, fc.boolean(), async (said, isNewestFirst) => {
      const event = (id: string, minute: number, content: object) => ({
        ...{ type: 'm.room.message', sender: '@ann:sea.example', event_id: id, content },
        ...{ origin_server_ts: 1_772_618_400_000 + minute * 60_000, unsigned: { age: 4711 } },
      });
      const member = { state_key: '@ann:sea.example', content: { membership: 'join', displayname: 'Ann' } };
      const messages = said.flatMap((one, at) => {
        const before = said[at - 1]?.said;
        const quoted = one.isReply && before !== undefined;
        const relation = { 'm.relates_to': { 'm.in_reply_to': { event_id: `$${at - 1}` } } };
        const own = quoted
          ? { body: `> <@ann:sea.example> ${before}\n> more\n\n${one.said}`, ...relation }
          : { body: one.said };
        const edits = one.edits.map((body, edit) => {
          const to = { rel_type: 'm.replace', event_id: `$${at}` };
          const content = { body: `* ${body}`, 'm.new_content': { body }, 'm.relates_to': to };
          return event(`$${at}.${edit}`, 20 + at * 2 + edit, content);
        });
        return [event(`$${at}`, at, own), ...edits];
      });
      const events = [{ ...event('$join', 0, {}), ...member }, ...messages];
      const file = { room_name: 'Tides', messages: isNewestFirst ? events.reverse() : events };
      const items = await read({ 'room.json': JSON.stringify(file) });
      const turns = said.map(({ said: first, edits }, at) => {
        return `[2026-03-04 10:0${at}] Ann: ${edits.at(-1) ?? first}`;
      });
      expect(textsOf(items)).toEqual([turns.join('\n\n')]);
      const replaced = said.reduce((sum, { edits }) => sum + edits.length, 0);
      const counted = skippedOf(items).filter(([, what]) => what === 'a text that a later edit replaced');
      expect(counted).toEqual(replaced === 0 ? [] : [['room.json', counted[0]?.[1], replaced]]);
    }),
    { seed: 7, numRuns: 100 },
  );
});

test('Skype: its markup is read, and speakers have their names', async () => {
  const said = (second: number, from: string, content: string, more: object = {}) => ({
    ...{ id: `${second}`, displayName: null, messagetype: 'RichText', version: 1772619072001, ...more },
    ...{ originalarrivaltime: `2026-03-04T10:11:${second}.000Z`, from, content },
  });
  const old = '<legacyquote>[17] Ann: </legacyquote>';
  const quote = `<quote author="a" authorname="Ann" cuid="9">${old}Tea &amp; cake<legacyquote>\n\n&lt;&lt;&lt; </legacyquote></quote>At five`;
  const MessageList = [
    said(30, '8:kim', quote, { displayName: 'Kim' }),
    said(20, '8:a', '1 &lt; 2\n<ss type="smile">:)</ss> <a href="https://t.example/?a=1&amp;b=2">here</a>'),
    said(10, '8:a', 'Tea &amp; cake'),
  ];
  const file = { conversations: [{ id: '8:a', displayName: 'Ann', MessageList }] };
  expect(textsOf(await read({ 'messages.json': JSON.stringify(file) }))).toEqual([
    '[2026-03-04 10:11] Ann: Tea & cake\n\n[2026-03-04 10:11] Ann: 1 < 2\n:) [here](https://t.example/?a=1&b=2)\n\n[2026-03-04 10:11] Kim: > Ann: Tea & cake\n\nAt five',
  ]);
});

test('deleted messages are counted, and those that still have a text are kept', async () => {
  const messages = [
    { creator: { name: 'Ann' }, created_date: '2026. március 4., szerda 10:11:12 UTC', text: 'High water' },
    { message_state: 'DELETED', deleted_date: '2026. március 4., szerda 10:12:00 UTC' },
    {
      creator: { name: 'Bob' },
      created_date: '2026年3月4日水曜日 10:15:40 UTC',
      text: 'Low',
      is_deleted: false,
    },
  ];
  const items = await read({ 'messages.json': JSON.stringify({ messages }) });
  expect(textsOf(items)).toEqual(['[2026-03-04 10:11] Ann: High water\n\n[2026-03-04 10:15] Bob: Low']);
  expect(skippedOf(items)).toContainEqual(['messages.json', 'a deleted message', 1]);
});

test('JSON beside Markdown notes, and lists of other things, are no chats', async () => {
  expect(await recognised({ ...telegram, 'a.md': 'A note' } as Record<string, string>)).toBe('obsidian');
  expect(await recognised({ 'a.json': '{"notes": [{"text": "x", "author": "y"}]}' })).toBe('records');
});

test('a chat with an assistant is the branch that its program shows, once, in each form of a tree', async () => {
  type Node = { readonly id: string; readonly parentId: string | null };
  const choices = fc.array(fc.nat(), { minLength: 2, maxLength: 9 });
  const form = fc.constantFrom('map', 'map and list', 'list', 'nested', 'mapping');
  await fc.assert(
    fc.asyncProperty(choices, form, async (given, how) => {
      const nodes: Node[] = given.map((choice, at) => ({
        id: `m${at}`,
        parentId: at === 0 ? null : `m${choice % at}`,
      }));
      const shown: Node[] = [];
      for (let one = nodes.at(-1); one; one = nodes.find(({ id }) => id === shown[0]?.parentId))
        shown.unshift(one);
      const wordsOf = ({ id }: Node, of = nodes.length) => ({
        role: Number(id.slice(1)) % 2 === 0 ? 'user' : 'assistant',
        content: `w${id}`,
        timestamp: 1772619072 + 60 * Number(id.slice(1)),
        usage: { eval_count: of },
      });
      const childrenOf = ({ id }: Node) => nodes.filter(({ parentId }) => parentId === id);
      const nested = (node: Node): object => ({
        messageId: node.id,
        parentMessageId: node.parentId,
        ...wordsOf(node),
        children: childrenOf(node).map(nested),
      });
      const treeOf = (put: (node: Node) => object) =>
        Object.fromEntries(nodes.map((node) => [node.id, put(node)]));
      const history = {
        messages: treeOf((node) => ({
          ...node,
          childrenIds: childrenOf(node).map(({ id }) => id),
          ...wordsOf(node),
        })),
        currentId: nodes.at(-1)?.id,
      };
      const chat = {
        map: { history },
        'map and list': { messages: shown.map((node) => ({ ...node, ...wordsOf(node) })), history },
        list: { messages: nodes.map((node) => ({ ...node, ...wordsOf(node) })) },
        nested: { messages: nodes.slice(0, 1).map(nested) },
        mapping: {
          mapping: treeOf((node) => ({ id: node.id, parent: node.parentId, message: wordsOf(node) })),
          current_node: nodes.at(-1)?.id,
        },
      }[how];
      const file = [{ id: 'c', title: 'Nam', chat: { id: '', title: 'Nam', ...chat, tags: ['bếp'] } }];
      expect(await recognised({ 'a.json': JSON.stringify(file) })).toBe('chats');
      const items = await read({ 'a.json': JSON.stringify(file) });
      const [entry, ...others] = items.flatMap((item) => ('entry' in item ? [item.entry] : []));
      expect([others, entry?.title, entry?.key, entry?.tags]).toEqual([[], 'Nam', 'chat:c', ['bếp']]);
      expect(entry?.text.split('\n\n').map((turn) => turn.replace(/^.*: /, ''))).toEqual(
        shown.map(({ id }) => `w${id}`),
      );
      const gone = skippedOf(items).find(
        ([, why]) => why === 'a message of a branch that the program does not show',
      );
      expect(gone?.[2] ?? 0).toBe(nodes.length - shown.length);
    }),
    { seed: 5, numRuns: 60 },
  );
});

test('messages of people that name what they reply to are all kept', async () => {
  const said = (id: number, parent?: number) => ({
    id,
    parentId: parent ?? null,
    from: 'Ann',
    text: `w${id}`,
    date: 1772619072 + id,
  });
  const chat = { name: 'c', messages: [said(1), said(2, 1), said(3, 1)] };
  expect(textsOf(await read({ 'a.json': JSON.stringify(chat) }))[0]).toMatch(/w1[\s\S]*w2[\s\S]*w3/);
});

test('a conversation of ChatGPT that a browser saved alone is read like those of an export', async () => {
  const message = { author: { role: 'user' }, content: { parts: ['Hi'] } };
  const one = { id: 'c', title: 'Nam', mapping: { a: { parent: null, message } }, current_node: 'a' };
  const text = JSON.stringify(one, null, 1);
  expect(await recognised({ 'a.json': text })).toBe('chatgpt');
  expect(await itemsOf(chatgpt, { 'a.json': text })).toMatchObject([
    { entry: { text: 'Me: Hi', title: 'Nam' } },
  ]);
});

test('DeepSeek: a message is its words, without its thoughts', async () => {
  const node = (id: string, parent: string | null, fragments?: object[]) => ({
    [id]: { id, parent, message: fragments ? { fragments, inserted_at: '2026-03-04T10:11:12+00:00' } : null },
  });
  const [question, thought, answer] = ['REQUEST', 'THINK', 'RESPONSE'].map((type) => ({
    type,
    content: `w${type}`,
  }));
  const mapping = {
    ...node('root', null),
    ...node('1', 'root', [question as object]),
    ...node('2', '1', [thought as object, answer as object]),
  };
  const text = JSON.stringify([{ id: 'c', title: 'Nam', mapping }]);
  expect(await recognised({ 'conversations.json': text })).toBe('chats');
  const said = '[2026-03-04 10:11] user: wREQUEST\n\n[2026-03-04 10:11] assistant: wRESPONSE';
  expect(textsOf(await read({ 'conversations.json': text }))).toEqual([said]);
});

test('a chat without an id does not take the id of the person whose chats a file has', async () => {
  const messages = [{ role: 'user', content: 'Hi', timestamp: 1772619072 }];
  const file = JSON.stringify({ id: 'user1', name: 'Ann', chats: [{ messages }] });
  const items = await read({ 'a.json': file, 'b.json': file });
  const keys = items.flatMap((item) => ('entry' in item ? [item.entry.key] : []));
  expect(keys).toEqual(['chat:a.json/1', 'chat:b.json/1']);
});

test('messages of people with roles that name what they reply to are all kept, whatever they reply to', async () => {
  const reply = fc.record({ role: fc.constantFrom('member', 'admin', 'user'), parent: fc.option(fc.nat(5)) });
  await fc.assert(
    fc.asyncProperty(fc.array(reply, { minLength: 1, maxLength: 6 }), async (replies) => {
      const said = [{ role: 'member', parent: null }, ...replies].map(({ role, parent }, id) => ({
        ...{ id, role, parent_id: parent, sender: 'Ann', text: `w${id}`, timestamp: 1772619072 + id },
      }));
      const [text = ''] = textsOf(await read({ 'a.json': JSON.stringify({ name: 'c', messages: said }) }));
      expect(text.match(/w\d/g)).toEqual(said.map((one) => one.text));
    }),
    { numRuns: 40 },
  );
});

test('ChatGPT: a branch whose first parent is missing has no message of another branch', async () => {
  const node = (id: string, parent: string) => ({
    [id]: { id, parent, message: { author: { role: 'user' }, content: { parts: [`w${id}`] } } },
  });
  const mapping = { ...node('a', 'root'), ...node('b', 'a'), ...node('c', 'gone'), ...node('d', 'c') };
  const text = JSON.stringify([{ id: 'c', title: 'Nam', mapping, current_node: 'd' }]);
  expect(await itemsOf(chatgpt, { 'conversations.json': text })).toMatchObject([
    { entry: { text: 'Me: wc\n\nMe: wd' } },
    { count: 2 },
  ]);
});

const slackMessage = (more: object) => ({ type: 'message', user: 'U1', ts: '1772619072.000100', ...more });
const slackFile = (...messages: object[]) => ({ 'general/2026-03-04.json': JSON.stringify(messages) });
const mrkdwn = (text: string) => ({ type: 'mrkdwn', text });
const plainText = (text: string) => ({ type: 'plain_text', text, emoji: true });
const typed = (...elements: object[]) => ({
  type: 'rich_text',
  block_id: 'b',
  elements: [{ type: 'rich_text_section', elements }],
});

test('Slack: the words of each kind of block are the text where the text is blank', async () => {
  const button = {
    type: 'button',
    action_id: 'a',
    text: plainText('Open'),
    url: 'https://o.example/',
    value: 'v_1',
  };
  const list = (style: string, ...items: string[]) => ({
    ...{ type: 'rich_text_list', style, indent: 0 },
    elements: items.map((text) => ({ type: 'rich_text_section', elements: [{ type: 'text', text }] })),
  });
  const kinds: readonly (readonly [object, string])[] = [
    [{ type: 'header', text: plainText('Tides') }, 'Tides'],
    [
      {
        type: 'section',
        text: mrkdwn('See <https://t.example/|the table> &amp; go'),
        fields: [mrkdwn('Low: 4')],
      },
      'See [the table](https://t.example/) & go\nLow: 4',
    ],
    [{ type: 'section', text: mrkdwn('Chart'), accessory: button }, 'Chart\n[Open](https://o.example/)'],
    [
      {
        type: 'context',
        elements: [mrkdwn('By Ann'), { type: 'image', image_url: 'https://i.example/', alt_text: 'A quay' }],
      },
      'By Ann\nhttps://i.example/\nA quay',
    ],
    [
      { type: 'image', title: plainText('Quay'), image_url: 'https://i.example/', alt_text: 'A quay' },
      'Quay\nhttps://i.example/\nA quay',
    ],
    [{ type: 'markdown', text: '# Plan' }, '# Plan'],
    [
      {
        type: 'input',
        label: plainText('Name'),
        element: { type: 'plain_text_input', placeholder: plainText('Yours') },
      },
      'Name\nYours',
    ],
    [
      {
        type: 'table',
        rows: [
          [
            { type: 'raw_text', text: 'Day' },
            { type: 'raw_text', text: 'Height' },
          ],
          [{ type: 'raw_text', text: 'One' }, typed({ type: 'text', text: '142' })],
        ],
      },
      'Day | Height\nOne | 142',
    ],
    [
      typed(
        { type: 'text', text: 'Hi ', style: { bold: true } },
        { type: 'user', user_id: 'U2' },
        { type: 'text', text: ' in ' },
        { type: 'channel', channel_id: 'C1' },
        { type: 'emoji', name: 'wave', unicode: '1f44b' },
      ),
      'Hi @bob in #tides:wave:',
    ],
    [
      typed({ type: 'link', url: 'https://t.example/', text: 'table' }, { type: 'broadcast', range: 'here' }),
      '[table](https://t.example/)@here',
    ],
    [{ type: 'rich_text', elements: [list('bullet', 'Rope', 'Oar')] }, '- Rope\n- Oar'],
    [{ type: 'rich_text', elements: [list('ordered', 'Rope', 'Oar')] }, '1. Rope\n2. Oar'],
    [
      {
        type: 'rich_text',
        elements: [{ type: 'rich_text_quote', elements: [{ type: 'text', text: 'Said' }] }],
      },
      '> Said',
    ],
    [
      {
        type: 'rich_text',
        elements: [{ type: 'rich_text_preformatted', elements: [{ type: 'text', text: 'x = 1' }] }],
      },
      '```\nx = 1\n```',
    ],
    [{ type: 'a_later_kind', body: { parts: [{ words: mrkdwn('Still read') }] } }, 'Still read'],
  ];
  const names = {
    'users.json': '[{"id": "U2", "name": "bob"}]',
    'channels.json': '[{"id": "C1", "name": "tides"}]',
  };
  for (const text of [{ text: '' }, {}])
    for (const [block, words] of kinds) {
      const items = await read({ ...names, ...slackFile(slackMessage({ ...text, blocks: [block] })) });
      expect(textsOf(items)).toEqual([`[2026-03-04 10:11] U1: ${words}`]);
      expect(skippedOf(items).map(([, what]) => what)).not.toContain('a message without text');
    }
});

test('Slack: what blocks repeat is there once, and what only they say is not lost', async () => {
  const section = (text: string) => ({ type: 'section', text: mrkdwn(text) });
  const cases: readonly (readonly [object, string])[] = [
    [
      { text: 'Low <@U2>', blocks: [typed({ type: 'text', text: 'Low ' }, { type: 'user', user_id: 'U9' })] },
      'Low @bob',
    ],
    [{ text: 'Low water', blocks: [section('Low *water*')] }, 'Low water'],
    [{ text: 'Report', blocks: [section('Report: 4 m at noon')] }, 'Report: 4 m at noon'],
    [{ text: 'News', blocks: [section('4 m at noon')] }, 'News\n4 m at noon'],
    [{ text: '', attachments: [{ fallback: '[no preview available]', blocks: [section('4 m')] }] }, '4 m'],
    [
      { text: '', attachments: [{ fallback: '4 m at noon', color: 'd00000', ts: 1772619072 }] },
      '4 m at noon',
    ],
    [
      {
        text: '',
        attachments: [
          { text: 'Tide', paid: 'by Ann', grid: 'B 4', id: 'x1', teamId: 'x2', userID: 'x3', msg_ids: 'x4' },
        ],
      },
      'Tide\nby Ann\nB 4',
    ],
  ];
  for (const [message, words] of cases) {
    const items = await read({
      'users.json': '[{"id": "U2", "name": "bob"}]',
      ...slackFile(slackMessage(message)),
    });
    expect(textsOf(items)).toEqual([`[2026-03-04 10:11] U1: ${words}`]);
  }
});

test('other programs: cards, embeds and attachments are the text where the text is blank', async () => {
  const card = {
    ...{
      type: 'AdaptiveCard',
      version: '1.5',
      $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    },
    body: [
      { type: 'TextBlock', text: 'High water', size: 'Large', weight: 'Bolder', wrap: true },
      { type: 'FactSet', facts: [{ title: 'Height', value: '4 m' }] },
      {
        type: 'ColumnSet',
        columns: [{ type: 'Column', width: 'auto', items: [{ type: 'TextBlock', text: 'Noon' }] }],
      },
      {
        type: 'RichTextBlock',
        inlines: [
          { type: 'TextRun', text: 'At ' },
          { type: 'TextRun', text: 'the quay' },
        ],
      },
    ],
    actions: [{ type: 'Action.OpenUrl', title: 'Chart', url: 'https://c.example/' }],
  };
  const cardWords = 'High water\nHeight: 4 m\nNoon\nAt the quay\n[Chart](https://c.example/)';
  const contentType = 'application/vnd.microsoft.card.adaptive';
  const teams = {
    ...{ id: '1', messageType: 'message', createdDateTime: '2026-03-04T10:11:12Z' },
    from: { application: { displayName: 'Ann' }, user: null },
    body: { contentType: 'html', content: '<attachment id="74d2"></attachment>' },
    attachments: [{ id: '74d2', contentType, content: JSON.stringify(card), name: null }],
  };
  const embed = {
    ...{ title: 'High water', url: 'https://c.example/', color: '#ff0000', description: 'At the quay' },
    ...{ author: { name: 'Harbour' }, footer: { text: 'Noon' } },
    fields: [{ name: 'Height', value: '4 m', isInline: true }],
  };
  const discord = {
    id: '3',
    timestamp: '2026-03-04T10:11:12Z',
    content: '',
    author: { name: 'Ann' },
    embeds: [embed],
  };
  const field = { title: 'Height', value: '4 m', short: true };
  const post = {
    pretext: 'High water',
    title: 'Chart',
    title_link: 'https://c.example/',
    text: 'At the quay',
    fields: [field],
  };
  const mattermost = {
    create_at: 1_772_619_072_000,
    username: 'Ann',
    message: '',
    props: { attachments: [post], from_webhook: 'true' },
  };
  const entities = [
    { type: 'plain', text: 'High ' },
    { type: 'text_link', text: 'water', href: 'https://c.example/' },
  ];
  const telegramMessage = {
    id: 1,
    date_unixtime: '1772619072',
    from: 'Ann',
    text: '',
    text_entities: entities,
  };
  const cases: readonly (readonly [object, string])[] = [
    [{ value: [teams] }, cardWords],
    [
      {
        value: [
          { ...teams, body: { contentType: 'html', content: '<p>Low <b>water</b></p>' }, attachments: [] },
        ],
      },
      'Low **water**',
    ],
    [{ messages: [discord] }, '[High water](https://c.example/)\nAt the quay\nHarbour\nNoon\nHeight: 4 m'],
    [
      { messages: [mattermost] },
      'High water\n[Chart](https://c.example/)\nAt the quay\nHeight: 4 m\nprops.from_webhook: true',
    ],
    [{ name: 'Ann', messages: [telegramMessage] }, 'High [water](https://c.example/)'],
  ];
  for (const [file, words] of cases) {
    const files = { 'a.json': JSON.stringify(file) };
    expect(await recognised(files)).toBe('chats');
    const items = await read(files);
    expect(textsOf(items)).toEqual([`[2026-03-04 10:11] Ann: ${words}`]);
    expect(skippedOf(items).map(([, what]) => what)).not.toContain('a message without text');
  }
});
