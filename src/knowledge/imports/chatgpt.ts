import type { ImportFile, ImportItem, ImportKind } from '../importing/import-kind.ts';
import { asList, asObject, asTrimmedText, parseTimeMicros } from '../importing/import-values.ts';
import { conversationEntries, type Turn } from './conversation.ts';
import { baseName, readImportFileHead } from './file-text.ts';
import { jsonItems } from './json-items.ts';

/** Names of the files with conversations: `conversations.json`, or in large exports `conversations-000.json` and so on. */
const CONVERSATIONS = /^conversations(?:-\d+)?\.json$/;

/** Reads exports of ChatGPT. Of a conversation with several branches, only the branch that ChatGPT shows is read. */
export const chatgpt: ImportKind = {
  name: 'chatgpt',
  title: 'ChatGPT export (ZIP or conversations.json)',

  async recognises(files) {
    for (const file of conversationFiles(files)) {
      const head = await readImportFileHead(file);
      if (/^\s*\[/.test(head) && head.includes('"mapping"')) return true;
    }
    return false;
  },

  async *read(files) {
    for (const file of conversationFiles(files)) {
      let number = 0;
      for await (const item of jsonItems(file.chunks(), file.name)) {
        const at = `${baseName(file)}, conversation ${++number}`;
        if ('problem' in item) yield { at, problem: item.problem };
        else yield* itemsOf(item.value, at);
      }
    }
  },
};

function conversationFiles(files: readonly ImportFile[]): ImportFile[] {
  return files.filter((file) =>
    files.length === 1 ? /\.json$|^-$/.test(file.name) : CONVERSATIONS.test(baseName(file)),
  );
}

function itemsOf(value: unknown, at: string): ImportItem[] {
  const conversation = asObject(value);
  const id = asTrimmedText(conversation.conversation_id) ?? asTrimmedText(conversation.id);
  const title = asTrimmedText(conversation.title);
  const named = title === undefined ? at : `${at} (${title.slice(0, 80)})`;
  if (id === undefined || typeof conversation.mapping !== 'object') {
    return [{ at: named, problem: 'is not a conversation of ChatGPT' }];
  }
  const turns = turnsOf(conversation);
  if (turns.length === 0) return [{ at: named, skipped: 'a conversation without text' }];
  const entries = conversationEntries(turns, {
    title,
    source: `https://chatgpt.com/c/${id}`,
    key: `chatgpt:${id}`,
    createdAt: parseTimeMicros(conversation.create_time) ?? turns[0]?.at,
    updatedAt: parseTimeMicros(conversation.update_time),
  });
  return entries.map((entry) => ({ at: named, entry }));
}

function turnsOf(conversation: Readonly<Record<string, unknown>>): Turn[] {
  const mapping = asObject(conversation.mapping);
  const seen = new Set<string>();
  const turns: Turn[] = [];
  let id = asTrimmedText(conversation.current_node) ?? lastLeaf(mapping);
  while (id !== undefined && !seen.has(id) && Object.hasOwn(mapping, id)) {
    seen.add(id);
    const node = asObject(mapping[id]);
    const turn = turnOf(asObject(node.message));
    if (turn) turns.push(turn);
    id = asTrimmedText(node.parent);
  }
  return turns.reverse();
}

function lastLeaf(mapping: Readonly<Record<string, unknown>>): string | undefined {
  let [latest, leaf] = [-1, undefined as string | undefined];
  for (const [id, value] of Object.entries(mapping)) {
    const node = asObject(value);
    const made = parseTimeMicros(asObject(node.message).create_time) ?? 0;
    if (asList(node.children).length === 0 && made >= latest) [latest, leaf] = [made, id];
  }
  return leaf;
}

const SPEAKERS: Readonly<Record<string, string>> = { user: 'Me', assistant: 'ChatGPT' };

/** Returns a message that the person saw. Returns undefined for other messages, such as those of ChatGPT to its tools. */
function turnOf(message: Readonly<Record<string, unknown>>): Turn | undefined {
  const role = asTrimmedText(asObject(message.author).role) ?? '';
  const speaker = Object.hasOwn(SPEAKERS, role) ? SPEAKERS[role] : undefined;
  const hidden = asObject(message.metadata).is_visually_hidden_from_conversation === true;
  const toTool = message.recipient !== undefined && message.recipient !== 'all';
  if (speaker === undefined || hidden || toTool) return undefined;
  const text = contentOf(asObject(message.content));
  return text === '' ? undefined : { speaker, text, at: parseTimeMicros(message.create_time) };
}

function contentOf(content: Readonly<Record<string, unknown>>): string {
  if (content.content_type === 'user_editable_context' || content.content_type === 'thoughts') return '';
  const parts = content.parts === undefined ? [content.text] : asList(content.parts);
  const texts = parts.flatMap((part) => asTrimmedText(part) ?? asTrimmedText(asObject(part).text) ?? []);
  return withoutMarks(texts.join('\n\n'));
}

function withoutMarks(text: string): string {
  return text.replace(/\uE200[^\uE200\uE201]*\uE201|【\d{1,6}[^【】]{0,40}】/g, '').trim();
}
