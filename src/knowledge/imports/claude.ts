import type { ImportFile, ImportItem, ImportKind } from '../importing/import-kind.ts';
import { asList, asObject, asTrimmedText, parseTimeMicros } from '../importing/import-values.ts';
import { conversationEntries, type Turn } from './conversation.ts';
import { baseName, readImportFileHead } from './file-text.ts';
import { jsonItems } from './json-items.ts';

/** Reads exports of Claude: the conversations in `conversations.json` and the documents in `projects.json`. */
export const claude: ImportKind = {
  name: 'claude',
  title: 'Claude export (ZIP or conversations.json)',

  async recognises(files) {
    for (const file of named(files, 'conversations.json')) {
      const head = await readImportFileHead(file);
      if (/^\s*\[/.test(head) && head.includes('"chat_messages"')) return true;
    }
    return false;
  },

  async *read(files) {
    yield* each(named(files, 'conversations.json'), 'conversation', conversationItems);
    if (files.length > 1) yield* each(named(files, 'projects.json'), 'project', projectItems);
  },
};

function named(files: readonly ImportFile[], name: string): ImportFile[] {
  return files.filter((file) =>
    files.length === 1 ? /\.json$|^-$/.test(file.name) : baseName(file) === name,
  );
}

type Read = (value: Readonly<Record<string, unknown>>, at: string) => ImportItem[];

async function* each(files: readonly ImportFile[], what: string, read: Read): AsyncGenerator<ImportItem> {
  for (const file of files) {
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
}

function conversationItems(conversation: Readonly<Record<string, unknown>>, at: string): ImportItem[] {
  const id = asTrimmedText(conversation.uuid);
  if (id === undefined || !Array.isArray(conversation.chat_messages)) {
    return [{ at, problem: 'is not a conversation of Claude' }];
  }
  const turns = asList(conversation.chat_messages).flatMap((message) => turnOf(asObject(message)) ?? []);
  if (turns.length === 0) return [{ at, skipped: 'a conversation without text' }];
  const entries = conversationEntries(turns, {
    title: asTrimmedText(conversation.name),
    source: `https://claude.ai/chat/${id}`,
    key: `claude:${id}`,
    createdAt: parseTimeMicros(conversation.created_at) ?? turns[0]?.at,
    updatedAt: parseTimeMicros(conversation.updated_at),
  });
  return entries.map((entry) => ({ at, entry }));
}

function turnOf(message: Readonly<Record<string, unknown>>): Turn | undefined {
  const said = asList(message.content).flatMap((part) => {
    const { type, text } = asObject(part);
    return type === 'text' ? (asTrimmedText(text) ?? []) : [];
  });
  // Uses the field `text`, since messages in older exports have their text only there.
  const texts = said.length > 0 ? said : [asTrimmedText(message.text)].filter((text) => text !== undefined);
  const attached = asList(message.attachments).flatMap((one) => {
    const { file_name: name, extracted_content: text } = asObject(one);
    const words = asTrimmedText(text);
    return words === undefined ? [] : [`${asTrimmedText(name) ?? 'Attachment'}:\n${words}`];
  });
  const text = [...texts, ...attached].join('\n\n');
  const speaker = message.sender === 'human' ? 'Me' : 'Claude';
  return text === '' ? undefined : { speaker, text, at: parseTimeMicros(message.created_at) };
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
  return [
    ...of(
      'instructions',
      asTrimmedText(project.prompt_template),
      `${name}: instructions`,
      project.created_at,
    ),
    ...asList(project.docs).flatMap((one) => {
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
}
