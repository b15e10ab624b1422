import { AppError } from '../../../errors.ts';
import { decodePercent } from '../../../lib/text/decode-percent.ts';
import type { PageContent } from '../../reading/page.ts';
import { openArchive, type ZipArchive } from '../archive.ts';
import { brokenFile } from '../broken-file-error.ts';
import { dateOf } from '../feeds/feed.ts';
import { fragmentToMarkdown } from '../fragment.ts';
import { oneLine } from '../markdown.ts';
import { childrenOf, findAllBelow, findByPath, parseXml, textOf, type XmlElement } from '../xml.ts';

const MAX_CHAPTERS = 2000;

export async function readEpub(body: Uint8Array, url: string): Promise<PageContent> {
  const archive = openArchive(body, url, (name) => /\.(x?html?|xml|opf)$/i.test(name) || name === CONTAINER);
  const path = findByPath(parseXml(archive.xml(CONTAINER) ?? ''), 'container', 'rootfiles', 'rootfile')
    ?.attributes['full-path'];
  const opf = path ? archive.xml(path) : undefined;
  if (!path || opf === undefined) throw brokenFile(url, 'EPUB', undefined, 'it names no contents');
  const book = findByPath(parseXml(opf), 'package');
  refuseLocked(archive, url);
  const chapters = spineOf(book, path).slice(0, MAX_CHAPTERS);
  const parts = chapters.map((name) => fragmentToMarkdown(archive.text(name) ?? '', 'file:///'));
  const units = parts.filter((part) => part.trim());
  const markdown = units.join('\n\n');
  if (!markdown) throw new AppError('unsupported', `${url} is an EPUB without text, as picture books are`);
  return { ...factsOf(book), markdown, units };
}

const CONTAINER = 'META-INF/container.xml';
const ENCRYPTION = 'META-INF/encryption.xml';

function spineOf(book: XmlElement | undefined, opf: string): string[] {
  const items = new Map(
    childrenOf(findByPath(book, 'manifest'), 'item').map(({ attributes }) => [attributes.id, attributes]),
  );
  return childrenOf(findByPath(book, 'spine'), 'itemref').flatMap(({ attributes }) => {
    const item = items.get(attributes.idref ?? '');
    const contents = item?.properties?.split(' ').includes('nav') ?? false;
    if (!item?.href || contents || attributes.linear === 'no') return [];
    return [resolvePath(opf, item.href)];
  });
}

function resolvePath(from: string, href: string): string {
  const encoded = from.split('/').map(encodeURIComponent).join('/');
  if (!URL.canParse(href, `file:///${encoded}`)) return '';
  const { pathname } = new URL(href, `file:///${encoded}`);
  return decodePercent(pathname).slice(1);
}

function refuseLocked(archive: ZipArchive, url: string): void {
  const locked = findAllBelow(parseXml(archive.xml(ENCRYPTION) ?? ''), 'CipherReference');
  if (locked.some(({ attributes }) => /\.x?html?$/i.test(attributes.URI ?? ''))) {
    throw new AppError(
      'unsupported',
      `${url} is a copy-protected EPUB, which only its seller's own program can open`,
    );
  }
}

function factsOf(book: XmlElement | undefined): Omit<PageContent, 'markdown'> {
  const metadata = findByPath(book, 'metadata');
  const first = (name: string) => oneLine(textOf(childrenOf(metadata, name)[0]));
  const author = childrenOf(metadata, 'creator')
    .map((creator) => oneLine(textOf(creator)))
    .filter(Boolean)
    .join(', ');
  const [published, language, description] = [dateOf(first('date')), first('language'), first('description')];
  return {
    title: first('title'),
    author: author || undefined,
    published: published || undefined,
    language: language || undefined,
    description: description || undefined,
  };
}
