import { parseJsonOrNothing } from '../../lib/text/parse-json-or-nothing.ts';
import type { ImportFile, ImportItem, ImportKind } from '../importing/import-kind.ts';
import {
  asObject,
  asTrimmedText,
  type ImportFields,
  parseTimeMicros,
  toListOrEmpty,
} from '../importing/import-values.ts';
import { readShownBranch } from './branches.ts';
import { addSourceList, type ConversationTurn, conversationEntry, findSourceLinks } from './conversation.ts';
import {
  baseName,
  parseImportJson,
  readImportFileHead,
  readImportFileText,
  skipOtherFiles,
} from './file-text.ts';
import { jsonItems } from './json-items.ts';
import { createSkippedCounter, type SkippedCounter } from './skipped-counter.ts';

/** Matches a list of trees of messages. Other programs have the speaker in a message itself. */
const LIST = /^(?=[\s\S]*"mapping")(?:(?![\s\S]*"(?:role|fragments)"\s{0,9}:)|[\s\S]*"author"\s{0,9}:)/;
/** Matches a file with a single conversation, as extensions of a browser save it. */
const ONE = /^\uFEFF?\s{0,99}\{(?=[\s\S]*"mapping"\s{0,9}:\s{0,9}\{)[\s\S]*"author"\s{0,9}:\s{0,9}\{/;
const CONVERSATIONS = /^conversations(?:-\d+)?\.json$/;

/** Imports exports of ChatGPT. If a conversation has several branches, reads only the branch that ChatGPT shows. */
export const chatgpt: ImportKind = {
  name: 'chatgpt',
  title: 'ChatGPT export (ZIP or conversations.json)',

  async recognises(files) {
    for (const file of conversationFiles(files)) {
      const head = await readImportFileHead(file);
      if (/^\s*\[/.test(head) ? LIST.test(head) : ONE.test(head)) return true;
    }
    return false;
  },

  async *read(files) {
    for (const file of conversationFiles(files)) {
      let number = 0;
      const isOne = ONE.test(await readImportFileHead(file));
      const one = async () => [{ value: parseImportJson(await readImportFileText(file), file.name) }];
      for await (const item of isOne ? await one() : jsonItems(file.chunks(), file.name)) {
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
  return files.filter((file) => files.length === 1 || CONVERSATIONS.test(baseName(file)));
}

function itemsOf(value: unknown, at: string): ImportItem[] {
  const conversation = asObject(value);
  const id = asTrimmedText(conversation.conversation_id) ?? asTrimmedText(conversation.id);
  const title = asTrimmedText(conversation.title);
  const named = title === undefined ? at : `${at} (${title.slice(0, 80)})`;
  if (id === undefined || typeof conversation.mapping !== 'object') {
    return [{ at: named, problem: 'is not a conversation of ChatGPT' }];
  }
  const leftOut = createSkippedCounter(named);
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

function turnsOf(conversation: Readonly<Record<string, unknown>>, leftOut: SkippedCounter) {
  const shown = readShownBranch(asObject(conversation.mapping), {
    leaf: conversation.current_node,
    program: 'ChatGPT',
    leftOut,
    isSaid: (message) => chatgptTurn(message) !== undefined,
  });
  return shown.flatMap((message) => chatgptTurn(message, leftOut) ?? []);
}

const SPEAKERS: Readonly<Record<string, string>> = { user: 'Me', assistant: 'ChatGPT' };
const OTHERS: Readonly<Record<string, string>> = {
  tool: 'an answer of a tool',
  system: 'a message of the system',
};
const CONTENTS: Readonly<Record<string, string>> = {
  user_editable_context: 'the custom instructions of a conversation',
  thoughts: 'a thought of ChatGPT',
  reasoning_recap: 'a thought of ChatGPT',
};

function chatgptTurn(message: ImportFields, leftOut = createSkippedCounter('')) {
  const role = asTrimmedText(asObject(message.author).role) ?? '';
  const speaker = Object.hasOwn(SPEAKERS, role) ? SPEAKERS[role] : undefined;
  const content = asObject(message.content);
  const said = textsOf(content, leftOut).join('\n\n').trim();
  const why = reasonToLeaveOut(message, content, speaker === undefined ? role : undefined);
  if (speaker === undefined || why !== undefined) {
    const written = why === TOOL_CALL ? documentOf(message, said) : undefined;
    if (written !== undefined) return turnOf(speaker ?? '', citeSources(written, message, leftOut), message);
    if (
      why !== undefined &&
      (said !== '' || Object.hasOwn(CONTENTS, asTrimmedText(content.content_type) ?? ''))
    )
      leftOut.add(why);
    return undefined;
  }
  const attached = toListOrEmpty(asObject(message.metadata).attachments).flatMap((one) => {
    const name = asTrimmedText(asObject(one).name);
    return name === undefined ? [] : [`Attachment: ${name}`];
  });
  const words = role === 'assistant' ? citeSources(said, message, leftOut) : said;
  return turnOf(speaker, [words, ...attached].filter(Boolean).join('\n\n'), message);
}

function turnOf(speaker: string, text: string, message: ImportFields): ConversationTurn | undefined {
  return text === '' ? undefined : { speaker, text, at: parseTimeMicros(message.create_time) };
}

const TOOL_CALL = 'a call of a tool';

function reasonToLeaveOut(message: ImportFields, content: ImportFields, otherRole: string | undefined) {
  if (asObject(message.metadata).is_visually_hidden_from_conversation === true) {
    return CONTENTS[asTrimmedText(content.content_type) ?? ''] ?? 'a hidden message';
  }
  if (otherRole !== undefined) return OTHERS[otherRole] ?? 'a message of another speaker';
  if (message.recipient !== undefined && message.recipient !== 'all') return TOOL_CALL;
  return CONTENTS[asTrimmedText(content.content_type) ?? ''];
}

function textsOf(content: ImportFields, leftOut: SkippedCounter): string[] {
  const parts = content.parts === undefined ? [content.text ?? content.result] : toListOrEmpty(content.parts);
  return parts.flatMap((part) => {
    const text = asTrimmedText(part) ?? asTrimmedText(asObject(part).text);
    if (text !== undefined) return [text];
    const type = asTrimmedText(asObject(part).content_type);
    if (type !== undefined) leftOut.add(/image/.test(type) ? 'a picture' : 'a recording');
    return [];
  });
}

function documentOf({ recipient }: ImportFields, call: string): string | undefined {
  if (!/^canmore\./.test(asTrimmedText(recipient) ?? '')) return undefined;
  const { name, content, updates, comments } = asObject(parseJsonOrNothing(call));
  const text = asTrimmedText(content);
  if (text !== undefined) return `${asTrimmedText(name) ?? 'Document'}:\n${text}`;
  const changes = [...toListOrEmpty(updates), ...toListOrEmpty(comments)].flatMap((one) => {
    const { replacement, comment } = asObject(one);
    return asTrimmedText(replacement) ?? asTrimmedText(comment) ?? [];
  });
  return changes.length === 0 ? undefined : `Document, changed:\n${changes.join('\n')}`;
}

/** Matches ChatGPT's mark of a citation or a name. In an interrupted answer, the mark may have no end. */
const MARK =
  /\uE200([\w-]{1,40}(?:\uE202[^\uE200-\uE202]*)*)\uE201|\uE200[\w-]{1,40}(?:\uE202\w{1,40})*|【\d{1,6}(?::\d{1,6})?†[^【】]{0,200}】/g;

/** Replaces citation marks in an answer by links. Lists sources without a mark below the answer. */
function citeSources(text: string, { metadata }: ImportFields, leftOut: SkippedCounter): string {
  const { content_references: references, citations } = asObject(metadata);
  const marked = toListOrEmpty(references).map(asObject);
  const links = new Map(
    marked.map((one) => [one.matched_text, [...findSourceLinks(one).values()].join(', ')]),
  );
  let cited = 0;
  const plain = text
    .replace(MARK, (mark: string, inner = '') => {
      const link = links.get(mark);
      const shown = shownOf(inner.split('\uE202')) ?? (link && `(${link})`);
      if (shown === undefined) cited++;
      return shown ?? '';
    })
    .replace(/[\uE200-\uE206]/g, '');
  leftOut.add('a mark of a citation', cited);
  return addSourceList(plain.trim(), findSourceLinks({ items: [...marked, ...toListOrEmpty(citations)] }));
}

function shownOf([kind = '', value = '', target = '']: readonly string[]): string | undefined {
  if (kind === 'url') return target === '' ? value : `[${value}](${target})`;
  if (kind !== 'entity') return undefined;
  return asTrimmedText(toListOrEmpty(parseJsonOrNothing(value))[1]);
}
