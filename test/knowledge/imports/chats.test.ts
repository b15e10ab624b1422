import { expect, test } from 'vitest';
import type { ImportItem } from '../../../src/knowledge/importing/import-kind.ts';
import { chats } from '../../../src/knowledge/imports/chats/chats.ts';
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

test('JSON beside Markdown notes, and lists of other things, are no chats', async () => {
  expect(await recognised({ ...telegram, 'a.md': 'A note' } as Record<string, string>)).toBe('obsidian');
  expect(await recognised({ 'a.json': '{"notes": [{"text": "x", "author": "y"}]}' })).toBe('records');
});
