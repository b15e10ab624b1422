import { Parser } from 'htmlparser2';
import { parseJsonOrNothing } from '../../lib/text/parse-json-or-nothing.ts';
import type { ImportFile, ImportItem, ImportKind } from '../importing/import-kind.ts';
import {
  asObject,
  asTrimmedText,
  parseTags,
  parseTimeMicros,
  toListOrEmpty,
} from '../importing/import-values.ts';
import { readImportFileHead, readImportFileText, skipOtherFiles } from './file-text.ts';
import { escapeStrayTags, isWebPageUrl, linkEntry, mergeLinks } from './links.ts';

const MAX_DEPTH = 100;

export const bookmarks: ImportKind = {
  name: 'bookmarks',
  title: 'Bookmarks of a browser (HTML, or the JSON of Firefox or Chrome)',
  async recognises(files) {
    for (const file of files) if (await isMarked(file)) return true;
    return false;
  },
  async *read(files) {
    const read = new Set<ImportFile>();
    for (const file of files) {
      if (files.length > 1 && !(await isMarked(file))) continue;
      read.add(file);
      const text = await readImportFileText(file);
      const json = parseJsonOrNothing(text);
      const { links, folders, details } = bookmarksOf(json === undefined ? text : writeBookmarks(json));
      let number = 0;
      for (const link of mergeLinks(links)) {
        const at = `${file.name}, bookmark ${++number}`;
        if (isWebPageUrl(link.url)) yield { at, entry: linkEntry(link, 'bookmark') };
        else yield { at, skipped: 'not the address of a page' };
      }
      yield* folderItems(folders, file.name);
      if (details > 0) yield { at: file.name, skipped: DETAIL, count: details };
    }
    yield* skipOtherFiles(files, (file) => read.has(file), 'not a list of bookmarks');
  },
};

function* folderItems(folders: readonly Folder[], at: string): Generator<ImportItem> {
  for (const { name, note, isOwn, isUsed } of folders) {
    const [title, text] = [name.trim(), note.trim()];
    if (text !== '') {
      yield {
        at,
        entry: {
          text: [title, text].filter(Boolean).join('\n\n'),
          title,
          key: `bookmark:folder/${title}/${text}`,
        },
      };
    } else if (isOwn) yield { at, skipped: 'a folder that the browser has named' };
    else if (!isUsed && title !== '') yield { at, skipped: 'a folder without bookmarks' };
  }
}

const MARK =
  /<!DOCTYPE NETSCAPE-Bookmark-file|"text\/x-moz-place|"roots"\s{0,9}:\s{0,99}\{\s{0,99}"bookmark_bar"/i;
/** Seconds from 1601, when Chrome's times begin, to 1970. */
const SECONDS_FROM_1601 = 11_644_473_600;

async function isMarked(file: ImportFile): Promise<boolean> {
  const isList = /\.(?:html?|json|bak)$|(?:^|\/)[^./]{1,255}$/i.test(file.name);
  return isList && MARK.test((await readImportFileHead(file)).slice(0, 1000));
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

function fromChromeTime(micro: unknown): number | undefined {
  return micro === undefined ? undefined : Number(micro) / 1e6 - SECONDS_FROM_1601;
}

/** Converts the JSON of Firefox or Chrome to the HTML format in which all browsers export bookmarks. */
function writeBookmarks(value: unknown, depth = 0): string {
  const { name: named, url, date_added: added, meta_info: facts, roots, ...fields } = asObject(value);
  const { Nickname: nickname, Description: description } = asObject(facts);
  const { title = named, uri = url, dateAdded = fromChromeTime(added), keyword = nickname } = fields;
  const { tags, iconUri, root, annos = [{ value: description }] } = fields;
  const { children = Object.values(asObject(roots)).map((one) => ({ ...asObject(one), root: 'chrome' })) } =
    fields;
  const attributes = { href: uri, add_date: dateAdded, tags, shortcuturl: keyword, icon: iconUri };
  const given = Object.entries({ ...attributes, personal_toolbar_folder: root }).flatMap(([name, one]) => {
    const text = asTrimmedText(one);
    return text === undefined ? [] : [` ${name}="${escapeHtml(text)}"`];
  });
  const name = escapeHtml(asTrimmedText(title) ?? '');
  const notes = toListOrEmpty(annos).map((one) => escapeHtml(asTrimmedText(asObject(one).value) ?? ''));
  const tag = uri === undefined ? 'h3' : 'a';
  const inner = depth > MAX_DEPTH ? [] : toListOrEmpty(children).map((one) => writeBookmarks(one, depth + 1));
  return `<dt><${tag}${given.join('')}>${name}</${tag}><dd>${notes.join('\n\n')}<dl>${inner.join('')}</dl>`;
}

interface Folder {
  name: string;
  note: string;
  /** True for a folder whose name comes from the browser, such as "Bookmarks bar". */
  readonly isOwn: boolean;
  isUsed: boolean;
}

interface OpenLink {
  readonly url: string;
  title: string;
  note: string;
  readonly tags: readonly string[];
  readonly at: number | undefined;
}

/** Attributes of a bookmark that are imported. Other attributes, such as an icon, are only counted. */
const READ = new Set(['href', 'add_date', 'tags', 'shortcuturl', 'feedurl']);
const DETAIL = 'a detail of the browser, such as an icon or a visit';

function bookmarksOf(text: string) {
  const links: OpenLink[] = [];
  const folders: Folder[] = [];
  /** Folders that contain the current link, outermost first. `undefined` stands for a list without a name. */
  const around: (Folder | undefined)[] = [];
  let next: Folder | undefined;
  let [depth, details] = [0, 0];
  let append: ((piece: string) => void) | undefined;

  const openLink = (attributes: Readonly<Record<string, string>>) => {
    const { href = '', add_date: at, tags = '', shortcuturl: word, feedurl: feed } = attributes;
    const facts = Object.entries({ keyword: word, feed }).filter(([, value]) => value);
    for (const [name, value] of Object.entries(attributes)) if (value && !READ.has(name)) details++;
    const inside = around.filter((folder) => folder !== undefined);
    const names = inside.flatMap(({ name, isOwn }) => (isOwn ? [] : [name.trim()])).filter(Boolean);
    for (const folder of inside) folder.isUsed = true;
    const link: OpenLink = {
      url: href,
      title: '',
      note: facts.map(([name, value]) => `${name}: ${value}\n\n`).join(''),
      tags: [...new Set([...parseTags(tags), ...names])],
      at: parseTimeMicros(at),
    };
    links.push(link);
    append = (piece) => (link.title += piece);
    return (piece: string) => (link.note += piece);
  };
  let describe: ((piece: string) => void) | undefined;
  const parser = new Parser({
    onopentag(name, attributes) {
      append = undefined;
      if (name === 'dl') {
        if (depth++ < MAX_DEPTH) around.push(next);
        next = undefined;
      } else if (name === 'h3') {
        const { personal_toolbar_folder: bar, unfiled_bookmarks_folder: other } = attributes;
        const folder: Folder = { name: '', note: '', isOwn: (bar ?? other) !== undefined, isUsed: false };
        folders.push(folder);
        next = folder;
        append = (piece) => (folder.name += piece);
        describe = (piece) => (folder.note += piece);
      } else if (name === 'dd') append = describe;
      else if (name === 'a') describe = openLink(attributes);
    },
    ontext: (piece) => append?.(piece),
    onclosetag(name) {
      if (name === 'dl' && depth > 0 && --depth < MAX_DEPTH) around.pop();
      if (name === 'a' || name === 'h3' || name === 'dl') append = undefined;
    },
  });
  parser.end(escapeStrayTags(text));
  return { links, folders, details };
}
