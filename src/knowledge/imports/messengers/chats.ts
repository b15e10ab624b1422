import { badRequestError } from '../../../errors.ts';
import { parseJsonOrNothing } from '../../../lib/text/parse-json-or-nothing.ts';
import { formatOtherFields } from '../../importing/format-other-fields.ts';
import type { ImportFile, ImportItem, ImportKind } from '../../importing/import-kind.ts';
import {
  asObject,
  asTrimmedText,
  type ImportFields,
  isTextList,
  parseTimeMicros,
  toListOrEmpty,
} from '../../importing/import-values.ts';
import { findTags, rankField } from '../../importing/known-fields.ts';
import { fenceCode, readHtmlFragment, readTextOrHtml } from '../../importing/note-html.ts';
import { MARKDOWN_FILE } from '../../importing/notes/note-file.ts';
import { findMessageTree, readShownBranch } from '../branches.ts';
import { conversationEntry } from '../conversation.ts';
import {
  baseName,
  parseImportJson,
  readImportFileHead,
  readImportFileText,
  skipOtherFiles,
  yieldItemsOrProblem,
} from '../file-text.ts';
import { createSkippedCounter, type SkippedCounter } from '../skipped-counter.ts';
import { repairLetters } from '../splitters/escaped-bytes.ts';
import { addBlocks, readBodies } from './bodies.ts';
import FIELDS from './chat-fields.json' with { type: 'json' };
import { readMatrixEvents } from './matrix.ts';

const SPEAKER_MARK = /"(?:from|sender_name|author|creator|sender|username|role|fragments)"\s{0,9}:/;
const LIST_MARK =
  /"(?:messages|MessageList)"\s{0,9}:\s{0,9}\[\s{0,99}\{|^\uFEFF?\s{0,99}\{\s{0,99}"about"\s{0,9}:|"messageType"\s{0,9}:\s{0,9}"message"/;
const TREE_MARK =
  /^(?=[\s\S]*"(?:messages|mapping|nodes)"\s{0,9}:\s{0,9}\{\s{0,99}"[^"]{1,99}"\s{0,9}:\s{0,9}\{)[\s\S]*"parent\w{0,12}"\s{0,9}:/;
const SLACK_MARK = /^\uFEFF?\s{0,99}\[[\s\S]*"ts"\s{0,9}:\s{0,9}"\d{10}\.\d/;
const MAX_DEPTH = 6;
/** Matches names of values that describe the program and not the message. */
const DETAIL =
  /^(?:\w{0,20}ids?|(?:sub|message)?type|version|state_key|\w{0,20}unixtime|edited|width|height|\w{0,20}size(?:bytes)?|mime_type|duration\w{0,9}|thumbnail|team|user|avatarUrl|\w{0,9}color|discriminator|hash|thread_ts|latest_reply|reply_(?:count|users)|is_\w{1,40}|model(?:Name|Idx)?|\w{0,20}token(?:s|_?count)|done|endpoint|unfinished|error|isCreatedByUser|isEdited|__v|updated_?at|exportAt|branches|recursive|preview|finish_reason)$/i;
/** Matches paths to values that repeat the text or describe the speaker. */
const REPEATED =
  /^(?:text_entities|replies|(?:rich_)?blocks|user_profile|author|bot_profile|creator|from|unsigned|usage|params|modelInfo|model_params|statusHistory|info|options|chatParams)\./;
/** Matches names of values that a program writes in place of the text of a deleted message. */
const DELETED = /^(?:is_?)?(?:deleted|unsent|redacted)(?:_?(?:date|at|on|ts|time))?$/i;

/** Reads chats as programs for messages export them: lists of messages with a speaker, a time and a text. */
export const chats: ImportKind = {
  name: 'chats',
  title: 'Chats of Telegram, Slack, Discord, Teams, Messenger or Instagram (JSON or its ZIP)',
  async recognises(files) {
    if (files.some(({ name }) => MARKDOWN_FILE.test(name))) return false;
    for (const file of files) if (await isMarked(file)) return true;
    return false;
  },
  async *read(files) {
    const read = new Set<ImportFile>();
    const names = new Map<string, string>();
    for (const file of files) {
      if (!/^(?:users|channels)\.json$/.test(baseName(file))) continue;
      for (const user of toListOrEmpty(parseJsonOrNothing(await readImportFileText(file))).map(asObject)) {
        const [id, name] = [
          asTrimmedText(user.id),
          speakerOf({ user: { ...user, ...asObject(user.profile) } }),
        ];
        if (id !== undefined && name !== undefined) names.set(id, name);
      }
    }
    for (const file of files) {
      if (files.length > 1 && !(await isMarked(file))) continue;
      read.add(file);
      yield* yieldItemsOrProblem(file, chatItems(file, names));
    }
    yield* skipOtherFiles(files, (file) => read.has(file), 'not a file of messages');
  },
};

async function isMarked(file: ImportFile): Promise<boolean> {
  const head = /\.json$|^-$/i.test(file.name) ? await readImportFileHead(file) : '';
  return SLACK_MARK.test(head) || (SPEAKER_MARK.test(head) && (LIST_MARK.test(head) || TREE_MARK.test(head)));
}

async function* chatItems(file: ImportFile, names: ReadonlyMap<string, string>): AsyncGenerator<ImportItem> {
  const leftOut = createSkippedCounter(file.name);
  const text = await readImportFileText(file);
  const json = parseImportJson(text, file.name);
  const value = /"timestamp_ms"/.test(text) ? repairLetters(json) : json;
  const found = findChats(
    Array.isArray(value) && value.some(isMessage) ? { messages: value } : value,
    leftOut,
  );
  if (found.length === 0) throw badRequestError(`${file.name} has no list of messages`);
  for (const [index, { about, messages }] of found.entries()) {
    const events = readMatrixEvents(messages.map(asObject));
    leftOut.add('a text that a later edit replaced', messages.length - events.length);
    const sent = events.filter((message) => !isDeleted(message));
    leftOut.add('a deleted message', events.length - sent.length);
    const known = new Map([...names, ...namesOf(about, events)]);
    const turns = sent.map((message) => turnOf(message, known, leftOut));
    const said = turns.filter(({ text }) => text !== '');
    const isTimed = said.every(({ at }) => at !== undefined);
    // Some programs write the newest message first. A reply in a thread follows the message that began it.
    if (isTimed)
      said.sort(
        ({ at = 0, thread = at }, { at: time = 0, thread: other = time }) => thread - other || at - time,
      );
    const title = firstOf(about, FIELDS.chatName) ?? file.name.replace(/\.json$/i, '');
    const at = `${file.name}, chat ${index + 1} (${title.slice(0, 80)})`;
    leftOut.add('a message without text', turns.length - said.length);
    if (said.length === 0) yield { at, skipped: 'a chat without text' };
    else {
      const times = said.flatMap((turn) => turn.at ?? []).sort((one, other) => one - other);
      const id =
        asTrimmedText(about.id ?? about.conversationId ?? asObject(about.channel).id) ??
        `${file.name}/${index + 1}`;
      const facts = {
        title,
        source: file.name,
        key: `chat:${id}`,
        createdAt: times[0],
        updatedAt: times.at(-1),
      };
      const entry = conversationEntry(said, facts);
      const tagged = Object.entries(about).filter(
        ([name, one]) => rankField('tags', name) >= 0 && isTextList(one),
      );
      const isTime = (name: string) => FIELDS.time.includes(name) && /^\d{9,19}$/.test(String(about[name]));
      const named = FIELDS.chatName.filter((name) => asTrimmedText(about[name]) === title);
      const taken = [...named, ...tagged.map(([name]) => name), ...Object.keys(about).filter(isTime)];
      const text = [...linesOf(about, new Set(taken), leftOut), entry.text].join('\n\n');
      yield { at, entry: { ...entry, text, ...(tagged.length > 0 && { tags: findTags(tagged) }) } };
    }
  }
  yield* leftOut.items();
}

interface Chat {
  readonly about: ImportFields;
  readonly messages: readonly unknown[];
}

/** Finds all lists of messages in a file. Counts values that are in none. */
function findChats(value: unknown, leftOut: SkippedCounter, depth = 0): Chat[] {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) {
    leftOut.add('a value beside the messages', value === null || value === '' ? 0 : 1);
    return [];
  }
  const fields = Object.entries(value);
  const list = fields.find(
    ([name, one]) => FIELDS.lists.includes(name.toLowerCase()) && Array.isArray(one) && one.some(isMessage),
  );
  const tree = Array.isArray(value) ? undefined : findMessageTree(asObject(value), isMessage);
  if (list === undefined && tree === undefined) {
    return fields.flatMap(([name, one]) => {
      const found = findChats(one, leftOut, depth + 1);
      const isWrapped = name === 'chat' && found.length === 1;
      return isWrapped ? found.map((chat) => nameByWrapper(chat, asObject(value))) : found;
    });
  }
  const about = Object.fromEntries(
    fields.filter(([name]) => name !== list?.[0] && !tree?.names.includes(name)),
  );
  if (tree === undefined) return [{ about, messages: list?.[1] as unknown[] }];
  const options = { leaf: tree.leaf, program: 'the program', leftOut, isSaid: isMessage };
  return [{ about, messages: readShownBranch(tree.tree, options).filter((one) => one.message !== null) }];
}

/** Open WebUI has the id and the tags of a chat around the field `chat`, and an empty id within. */
function nameByWrapper({ about, messages }: Chat, { id, tags, title, name = title }: ImportFields): Chat {
  const named = firstOf(about, FIELDS.chatName) === undefined ? { name } : {};
  return { about: { ...about, ...named, id: about.id || id, tags: about.tags ?? tags }, messages };
}

function isMessage(value: unknown): boolean {
  const message = asObject(value);
  const has = (names: readonly string[]) => names.some((name) => message[name] !== undefined);
  return has(FIELDS.text.concat(FIELDS.bodies)) && has(FIELDS.time.concat('role')) && has(FIELDS.speaker);
}

function isDeleted(message: ImportFields): boolean {
  const isMarked = Object.entries(message).some(([name, value]) => value && DELETED.test(name));
  return isMarked && FIELDS.text.every((name) => wordsOf(message[name]).trim() === '');
}

/** Returns the names of speakers by their ids, as Skype and Matrix write them beside the messages. */
function namesOf({ id, displayName }: ImportFields, messages: readonly ImportFields[]) {
  const pairs = messages.flatMap(({ from, displayName: name, state_key: member, content }) => [
    [from, name],
    [member, asObject(content).displayname],
  ]);
  return [[id, displayName], ...pairs].flatMap(([one, name]) => {
    const [key, value] = [asTrimmedText(one), asTrimmedText(name)];
    return key === undefined || value === undefined ? [] : [[key, value] as const];
  });
}

function turnOf(message: ImportFields, names: ReadonlyMap<string, string>, leftOut: SkippedCounter) {
  const isSet = (name: string) => message[name] !== undefined && message[name] !== null;
  const [speaker, given, time] = [FIELDS.speaker, FIELDS.text, FIELDS.time].map((list) => list.find(isSet));
  // LibreChat writes the words of an answer in parts, beside an empty text.
  const words = FIELDS.text.find((name) => isSet(name) && wordsOf(message[name]).trim() !== '') ?? given;
  const isSlack = message.ts !== undefined;
  const said = words === undefined ? '' : wordsOf(message[words]);
  const isMarkup = /^RichText|^html$/.test(String(message.messagetype ?? asObject(message.body).contentType));
  const readText = (one: string) => (isSlack ? readSlackText(one, names) : readTextOrHtml(one));
  const reader = { names, readText };
  const plain = isMarkup ? readHtmlFragment(readSkypeMarkup(said)) : readText(said);
  const isBare = plain.trim() === '';
  const bodies = isBare ? FIELDS.bodies : ['blocks'];
  const shown = bodies.map((name) => message[name] ?? asObject(message.props)[name]);
  const text = isBare ? readBodies(shown, reader) : addBlocks(plain, message.blocks, reader);
  const named = speakerOf(message) ?? 'Unknown';
  const taken = new Set(
    [
      speaker,
      words,
      ...(text === plain ? [] : bodies.flatMap((name) => [name, `props.${name}`])),
      'models',
      message.from ? 'displayName' : undefined,
      ...(time ? FIELDS.time : []),
    ].flatMap((name) => name ?? []),
  );
  return {
    speaker: names.get(named) ?? named,
    text: [text, ...linesOf(message, taken, leftOut)].filter((part) => part.trim() !== '').join('\n'),
    at: time === undefined ? undefined : parseTimeMicros(message[time]),
    thread: parseTimeMicros(message.thread_ts),
  };
}

function linesOf(record: ImportFields, taken: ReadonlySet<string>, leftOut: SkippedCounter): string[] {
  const { lines } = formatOtherFields(record, taken);
  const isDetail = (path: string) =>
    REPEATED.test(path) || DETAIL.test(path.slice(path.lastIndexOf('.') + 1));
  const kept = lines.filter((line) => !isDetail(line.slice(0, line.indexOf(':'))));
  leftOut.add('an id, a size or another detail of the program', lines.length - kept.length);
  return kept.length === 0 ? [] : [kept.join('\n')];
}

function firstOf(record: ImportFields, fields: readonly string[]): string | undefined {
  for (const field of fields) {
    const given = asObject(record[field]);
    // Teams has the name of a person or a bot one level deeper.
    const inner = { ...given, ...asObject(given.user ?? given.application) };
    const name = FIELDS.speakerName.find((one) => asTrimmedText(inner[one]) !== undefined);
    const text = asTrimmedText(name === undefined ? record[field] : inner[name]);
    if (text !== undefined) return text;
  }
  return undefined;
}

const speakerOf = (message: ImportFields): string | undefined => firstOf(message, FIELDS.speaker);

/** Returns the text of a message, which may be a list of texts and of objects with `text` and `href`. */
function wordsOf(value: unknown, depth = 0): string {
  if (depth > MAX_DEPTH) throw badRequestError(`has a text nested over ${MAX_DEPTH} deep`);
  if (Array.isArray(value)) return value.map((one) => wordsOf(one, depth + 1)).join('');
  if (typeof value !== 'object' || value === null) return String(value ?? '');
  const { type, text, content, body = content, href, language } = value as ImportFields;
  const words = wordsOf(text ?? (typeof body === 'string' || body !== content ? body : ''), depth + 1);
  if (type === 'pre') return `\n${fenceCode(words, asTrimmedText(language) ?? '')}\n`;
  if (type === 'code') return `\`${words}\``;
  const address = asTrimmedText(href);
  return address === undefined || address === words ? words : `[${words}](${address})`;
}

const SLACK_LINK = /<([@#]?)([^<>|]{1,2000})(?:\|([^<>]{0,2000}))?>/g;

function readSlackText(text: string, names: ReadonlyMap<string, string>): string {
  const link = (_: string, sign: string, target: string, label = '') => {
    if (sign !== '') return `${sign}${label || (names.get(target) ?? target)}`;
    return label === '' || label === target ? target : `[${label}](${target})`;
  };
  return text
    .replace(SLACK_LINK, link)
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}

/** Writes the markup of Skype as HTML. Only its old programs show the words of a `legacyquote`. */
function readSkypeMarkup(text: string): string {
  const html = text
    .replace(/<legacyquote>[^<]{0,2000}<\/legacyquote>/g, '')
    .replace(/<quote\b[^<>]{0,500}?\bauthorname="([^"<>]{1,200})"[^<>]{0,500}>/g, '<blockquote>$1: ')
    .replace(/<(\/?)quote\b/g, '<$1blockquote')
    .replaceAll('\n', '<br/>');
  return `<div>${html}</div>`;
}
