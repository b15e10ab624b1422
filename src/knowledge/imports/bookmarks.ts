import { Parser } from 'htmlparser2';
import type { ImportFile, ImportKind } from '../importing/import-kind.ts';
import { parseTags, parseTimeMicros } from '../importing/import-values.ts';
import { readImportFileHead, readImportFileText } from './file-text.ts';
import { isWebPageUrl, type Link, linkEntry, mergeLinks } from './links.ts';

/** Maximum depth of nested bookmark folders. No browser's real bookmarks reach it. */
const MAX_DEPTH = 100;

export const bookmarks: ImportKind = {
  name: 'bookmarks',
  title: 'Bookmarks of a browser (HTML)',
  async recognises(files) {
    for (const file of files.filter(isHtml)) {
      if (/<!DOCTYPE NETSCAPE-Bookmark-file/i.test((await readImportFileHead(file)).slice(0, 1000)))
        return true;
    }
    return false;
  },
  async *read(files) {
    for (const file of files.filter(isHtml)) {
      let number = 0;
      for (const link of mergeLinks(linksOf(await readImportFileText(file)))) {
        const at = `${file.name}, bookmark ${++number}`;
        if (isWebPageUrl(link.url)) yield { at, entry: linkEntry(link, 'bookmark') };
        else yield { at, skipped: 'not the address of a page' };
      }
    }
  },
};

function isHtml({ name }: ImportFile): boolean {
  return /\.html?$|^-$/i.test(name);
}

/** Returns the links of a bookmark file in order. The file is read tag by tag, since not all of its tags are closed. */
function linksOf(text: string): Link[] {
  const links: { url: string; title: string; note?: string; tags: string[]; at?: number }[] = [];
  /** Names of the bookmark folders around the current link; '' for folders that the browser itself has named. */
  const folders: string[] = [];
  let heading = '';
  let collects: 'link' | 'folder' | 'note' | undefined;
  const parser = new Parser({
    onopentag(name, attributes) {
      collects = undefined;
      if (name === 'dl') {
        if (folders.length < MAX_DEPTH) folders.push(heading);
        heading = '';
      } else if (name === 'h3') {
        heading = '';
        const own =
          attributes.personal_toolbar_folder !== undefined ||
          attributes.unfiled_bookmarks_folder !== undefined;
        if (!own) collects = 'folder';
      } else if (name === 'dd') collects = 'note';
      else if (name === 'a') {
        const { href = '', add_date: at, tags = '' } = attributes;
        const around = folders.map((folder) => folder.trim()).filter(Boolean);
        links.push({
          url: href,
          title: '',
          tags: [...new Set([...parseTags(tags), ...around])],
          at: parseTimeMicros(at),
        });
        collects = 'link';
      }
    },
    ontext(piece) {
      const last = links.at(-1);
      if (collects === 'folder') heading += piece;
      else if (collects === 'link' && last) last.title += piece;
      else if (collects === 'note' && last) last.note = (last.note ?? '') + piece;
    },
    onclosetag(name) {
      if (name === 'dl') folders.pop();
      if (name === 'a' || name === 'h3' || name === 'dl') collects = undefined;
    },
  });
  parser.end(text);
  return links;
}
