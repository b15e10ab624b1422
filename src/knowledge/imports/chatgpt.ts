import type { ImportFile, ImportItem, ImportKind } from '../importing/import-kind.ts';
import { asList, asObject, asTrimmedText, parseTimeMicros } from '../importing/import-values.ts';
import { chatgptTurn } from './chatgpt-turn.ts';
import { conversationEntry, type Turn } from './conversation.ts';
import { baseName, readImportFileHead, skipOtherFiles } from './file-text.ts';
import { jsonItems } from './json-items.ts';
import { createLeftOut, type LeftOut } from './left-out.ts';

const CONVERSATIONS = /^conversations(?:-\d+)?\.json$/;

/** Imports exports of ChatGPT. If a conversation has several branches, reads only the branch that ChatGPT shows. */
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
    const read = new Set(conversationFiles(files));
    yield* skipOtherFiles(files, (file) => read.has(file), 'not a file of conversations');
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
  const leftOut = createLeftOut(named);
  const turns = turnsOf(conversation, leftOut);
  if (turns.length === 0) return [{ at: named, skipped: 'a conversation without text' }, ...leftOut.items()];
  const entry = conversationEntry(turns, {
    title,
    source: `https://chatgpt.com/c/${id}`,
    key: `chatgpt:${id}`,
    createdAt: parseTimeMicros(conversation.create_time) ?? turns[0]?.at,
    updatedAt: parseTimeMicros(conversation.update_time),
  });
  return [{ at: named, entry }, ...leftOut.items()];
}

function turnsOf(conversation: Readonly<Record<string, unknown>>, leftOut: LeftOut): Turn[] {
  const mapping = asObject(conversation.mapping);
  const seen = new Set<string>();
  const turns: Turn[] = [];
  let id = asTrimmedText(conversation.current_node) ?? lastLeaf(mapping);
  while (id !== undefined && !seen.has(id) && Object.hasOwn(mapping, id)) {
    seen.add(id);
    const node = asObject(mapping[id]);
    const turn = chatgptTurn(asObject(node.message), leftOut);
    if (turn) turns.push(turn);
    id = asTrimmedText(node.parent);
  }
  const others = Object.entries(mapping).filter(
    ([other, node]) => !seen.has(other) && chatgptTurn(asObject(asObject(node).message)) !== undefined,
  );
  leftOut.add('a message of a branch that ChatGPT does not show', others.length);
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
