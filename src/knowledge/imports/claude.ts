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
import { baseName, readImportFileHead, skipOtherFiles } from './file-text.ts';
import { jsonItems } from './json-items.ts';
import { createSkippedCounter, type SkippedCounter } from './skipped-counter.ts';

const FILES: Readonly<Record<string, ClaudeReader>> = {
  'conversations.json': conversationItems,
  'projects.json': projectItems,
  'memories.json': memoryItems,
};

export const claude: ImportKind = {
  name: 'claude',
  title: 'Claude export (ZIP or conversations.json)',

  async recognises(files) {
    const [only] = files;
    for (const file of files.filter((one) => Object.hasOwn(FILES, baseName(one)) || one === only)) {
      const head = await readImportFileHead(file);
      if (!/^\s*\[/.test(head)) continue;
      if (head.includes('"chat_messages"') || head.includes('"conversations_memory"')) return true;
    }
    return false;
  },

  async *read(files) {
    for (const file of files) {
      const read = readOf(file, files.length === 1);
      if (read) yield* each(file, read);
    }
    const isRead = (file: ImportFile) => readOf(file, files.length === 1) !== undefined;
    yield* skipOtherFiles(files, isRead, 'not a file of conversations, projects or memories');
  },
};

function readOf(file: ImportFile, isAlone: boolean): ClaudeReader | undefined {
  return isAlone ? anyItems : FILES[baseName(file)];
}

type ClaudeReader = (value: Readonly<Record<string, unknown>>, at: string) => ImportItem[];

function anyItems(value: Readonly<Record<string, unknown>>, at: string): ImportItem[] {
  if ('conversations_memory' in value || 'project_memories' in value) return memoryItems(value, at);
  return 'prompt_template' in value || 'docs' in value
    ? projectItems(value, at)
    : conversationItems(value, at);
}

async function* each(file: ImportFile, read: ClaudeReader): AsyncGenerator<ImportItem> {
  const what =
    baseName(file) === 'projects.json'
      ? 'project'
      : baseName(file) === 'memories.json'
        ? 'memory'
        : 'conversation';
  let number = 0;
  for await (const item of jsonItems(file.chunks(), file.name)) {
    const at = `${baseName(file)}, ${what} ${++number}`;
    if ('problem' in item) {
      yield { at, problem: item.problem };
      continue;
    }
    const value = asObject(item.value);
    const name = asTrimmedText(value.name);
    yield* read(value, name === undefined ? at : `${at} (${name.slice(0, 80)})`);
  }
}

function conversationItems(conversation: Readonly<Record<string, unknown>>, at: string): ImportItem[] {
  const id = asTrimmedText(conversation.uuid);
  if (id === undefined || !Array.isArray(conversation.chat_messages)) {
    return [{ at, problem: 'is not a conversation of Claude' }];
  }
  const leftOut = createSkippedCounter(at);
  const shown = readShownBranch(conversation.chat_messages, {
    leaf: conversation.current_leaf_message_uuid,
    program: 'Claude',
    leftOut,
    isSaid: (message) => claudeTurn(message) !== undefined,
  });
  const turns = shown.flatMap((message) => claudeTurn(message, leftOut) ?? []);
  if (asTrimmedText(conversation.summary)) leftOut.add('a summary that Claude made of a conversation');
  if (turns.length === 0) return [{ at, skipped: 'a conversation without text' }, ...leftOut.items()];
  const entry = conversationEntry(turns, {
    title: asTrimmedText(conversation.name),
    source: `https://claude.ai/chat/${id}`,
    key: `claude:${id}`,
    createdAt: parseTimeMicros(conversation.created_at) ?? turns[0]?.at,
    updatedAt: parseTimeMicros(conversation.updated_at),
  });
  return [{ at, entry }, ...leftOut.items()];
}

function memoryItems(memory: Readonly<Record<string, unknown>>, at: string): ImportItem[] {
  const account = asTrimmedText(memory.account_uuid);
  const of = (what: string, title: string, value: unknown): ImportItem[] => {
    const text = asTrimmedText(value);
    const key = `claude:memory/${[account, what].filter(Boolean).join('/')}`;
    return text === undefined
      ? []
      : [{ at: `${at}, ${title}`, entry: { text, title, source: 'https://claude.ai', key } }];
  };
  const items = [
    ...of('', "Claude's memory", memory.conversations_memory),
    ...Object.entries(asObject(memory.project_memories)).flatMap(([id, text]) =>
      of(id, `Claude's memory of the project ${id}`, text),
    ),
  ];
  return items.length > 0 ? items : [{ at, skipped: 'a memory without text' }];
}

function projectItems(project: Readonly<Record<string, unknown>>, at: string): ImportItem[] {
  const id = asTrimmedText(project.uuid);
  if (id === undefined) return [{ at, problem: 'is not a project of Claude' }];
  const name = asTrimmedText(project.name) ?? '';
  const source = `https://claude.ai/project/${id}`;
  const of = (what: string, text: string | undefined, title: string, made: unknown): ImportItem[] =>
    text === undefined
      ? []
      : [
          {
            at: `${at}, ${title}`,
            entry: { text, title, source, key: `claude:${id}/${what}`, createdAt: parseTimeMicros(made) },
          },
        ];
  const items = [
    ...of('description', asTrimmedText(project.description), `${name}: description`, project.created_at),
    ...of(
      'instructions',
      asTrimmedText(project.prompt_template),
      `${name}: instructions`,
      project.created_at,
    ),
    ...toListOrEmpty(project.docs).flatMap((one) => {
      const { uuid, filename, content, created_at: made } = asObject(one);
      const title = asTrimmedText(filename) ?? 'document';
      return of(
        asTrimmedText(uuid) ?? title,
        asTrimmedText(content),
        name === '' ? title : `${name}: ${title}`,
        made,
      );
    }),
  ];
  return items.length > 0 ? items : [{ at, skipped: 'a project without text' }];
}

function claudeTurn(message: ImportFields, leftOut = createSkippedCounter('')): ConversationTurn | undefined {
  const said = toListOrEmpty(message.content).flatMap((part) => textOfPart(asObject(part), leftOut));
  // Older exports have the message only in the field `text`.
  const texts = said.length > 0 ? said : [asTrimmedText(message.text)].filter((text) => text !== undefined);
  const attached = toListOrEmpty(message.attachments).flatMap((one) => {
    const { file_name: name, extracted_content: text } = asObject(one);
    return fileText(asTrimmedText(name), asTrimmedText(text));
  });
  const files = toListOrEmpty(message.files).flatMap((one) =>
    fileText(asTrimmedText(asObject(one).file_name), undefined),
  );
  const text = [...new Set([...texts, ...attached, ...files])].join('\n\n');
  const speaker = message.sender === 'human' ? 'Me' : 'Claude';
  return text === '' ? undefined : { speaker, text, at: parseTimeMicros(message.created_at) };
}

function fileText(name: string | undefined, text: string | undefined): string[] {
  if (text === undefined) return name === undefined ? [] : [`Attachment: ${name}`];
  return [`${name ?? 'Attachment'}:\n${text}`];
}

const LEFT_OUT: Readonly<Record<string, string>> = {
  thinking: 'a thought of Claude',
  redacted_thinking: 'a thought of Claude',
  tool_use: 'a call of a tool',
  tool_result: 'an answer of a tool',
  image: 'a picture',
};

function textOfPart(part: ImportFields, leftOut: SkippedCounter): string[] {
  const type = asTrimmedText(part.type) ?? 'text';
  if (type === 'tool_use') {
    const written = writtenText(asObject(part.input));
    if (written !== undefined) return [written];
  } else if (!Object.hasOwn(LEFT_OUT, type)) {
    const words = [asTrimmedText(part.title), asTrimmedText(part.text)].filter((text) => text !== undefined);
    if (words.length > 0)
      return [addSourceList(words.join('\n'), findSourceLinks({ items: part.citations }))];
  }
  if (type !== 'text' && type !== 'token_budget')
    leftOut.add(LEFT_OUT[type] ?? 'a part of a message without text');
  return [];
}

function writtenText(input: ImportFields): string | undefined {
  const find = (...names: string[]) =>
    names.map((name) => asTrimmedText(input[name])).find((text) => text !== undefined);
  const text = find('content', 'file_text');
  const [before, after] = [find('old_str'), find('new_str')];
  if (text === undefined && after === undefined && before === undefined) return undefined;
  const title = find('title', 'path', 'id') ?? 'Artifact';
  if (text !== undefined) return `${title}:\n${text}`;
  return [
    `${title}, changed:`,
    before !== undefined && `from: ${before}`,
    after !== undefined && `to: ${after}`,
  ]
    .filter(Boolean)
    .join('\n');
}
