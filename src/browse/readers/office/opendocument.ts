import { AppError } from '../../../errors.ts';
import type { PageContent } from '../../reading/page.ts';
import { openArchive, type ZipArchive } from '../archive.ts';
import { brokenFile } from '../broken-file-error.ts';
import { dateOf } from '../feeds/feed.ts';
import { oneLine } from '../markdown.ts';
import { childrenOf, findByPath, parseXml, textOf, type XmlElement } from '../xml.ts';
import { readOdfStyles } from './odf-styles.ts';
import { OdfMarkdownWriter } from './odf-text.ts';
import { inReadingOrder, joinGroup, type PlacedItem, type SlideBox } from './reading-order.ts';

export async function readOpenDocument(
  body: Uint8Array,
  url: string,
  kind: 'odt' | 'ods' | 'odp',
): Promise<PageContent> {
  const archive = openArchive(body, url, (name) =>
    /^(?:content|styles|meta|META-INF\/manifest|Object \d{1,9}\/content)\.xml$/.test(name),
  );
  if (archive.xml('META-INF/manifest.xml')?.includes('encryption-data')) {
    throw new AppError(
      'unsupported',
      `${url} is an encrypted OpenDocument file; save it without a password, or as a PDF with one, which is read`,
    );
  }
  const content = findByPath(parseXml(archive.xml('content.xml') ?? ''), 'document-content');
  const [main] = childrenOf(findByPath(content, 'body'));
  if (!main) throw brokenFile(url, 'OpenDocument file', undefined, 'it has no contents');
  const common = findByPath(parseXml(archive.xml('styles.xml') ?? ''), 'document-styles');
  const styles = readOdfStyles([common, content]);
  const writer = new OdfMarkdownWriter(styles, kind === 'ods', (name) => archive.xml(name) ?? '');
  const text =
    kind === 'odp'
      ? childrenOf(main, 'page').map((page, index) =>
          styles.hides(page) ? '' : slide(page, index + 1, writer),
        )
      : writer.blocks(main);
  const edges =
    kind === 'odt'
      ? (name: string) => edgesOf(common, name).flatMap((edge) => writer.blocks(edge))
      : () => [];
  const [headers, footers] = [[...new Set(edges('header'))], [...new Set(edges('footer'))]];
  const { notes } = writer;
  const whole = [...headers, ...text, ...footers, ...notes].filter(Boolean);
  const units = kind === 'odp' ? [...text, ...notes] : kind === 'ods' ? sheetsOf(whole) : undefined;
  return { ...factsOf(archive), markdown: whole.join('\n\n'), units };
}

function edgesOf(styles: XmlElement | undefined, name: string): XmlElement[] {
  const pages = childrenOf(findByPath(styles, 'master-styles'), 'master-page');
  const own = pages.filter(({ attributes }) => attributes.name === 'Standard');
  return (own.length > 0 ? own : pages.slice(0, 1)).flatMap((page) => childrenOf(page, name));
}

function sheetsOf(all: readonly string[]): string[] {
  const sheets: string[] = [];
  for (const block of all) {
    if (block.startsWith('## ') || sheets.length === 0) sheets.push(block);
    else sheets[sheets.length - 1] += `\n\n${block}`;
  }
  return sheets;
}

function slide(page: XmlElement, number: number, writer: OdfMarkdownWriter): string {
  const frames = framesInOrder(page);
  const title = frames.find(({ attributes }) => attributes.class === 'title');
  const said = writer.blocks(findByPath(page, 'notes')).join('\n\n');
  const comments = childrenOf(page, 'annotation').map((one) => writer.inline(one));
  return [
    `## ${(title && oneLine(textOf(title))) || `Slide ${number}`}${comments.join('')}`,
    // Each frame gets a parent element, because `blocks` reads the children of the given element.
    ...frames
      .filter((frame) => frame !== title)
      .flatMap((frame) => writer.blocks({ name: '', attributes: {}, children: [frame] })),
    said && `### Notes\n\n${said}`,
  ]
    .filter(Boolean)
    .join('\n\n');
}

function framesInOrder(page: XmlElement): XmlElement[] {
  let last: SlideBox = { left: 0, top: 0, width: 0, height: 0 };
  const itemsOf = (parent: XmlElement): PlacedItem<XmlElement[]>[] =>
    childrenOf(parent)
      .filter(({ name }) => name !== 'notes' && name !== 'annotation')
      .flatMap((shape): PlacedItem<XmlElement[]>[] => {
        if (shape.name === 'g' || shape.name === 'a') return joinGroup(itemsOf(shape));
        // Skips shapes without text. A background shape would overlap all texts and prevent their sorting.
        if (!textOf(shape).trim() && !findByPath(shape, 'object')) return [];
        last = odfBox(shape.attributes) ?? last;
        return [{ box: last, content: [shape] }];
      });
  return inReadingOrder(itemsOf(page)).flatMap(({ content }) => content);
}

const INCHES: Readonly<Record<string, number>> = {
  in: 1,
  cm: 1 / 2.54,
  mm: 1 / 25.4,
  pt: 1 / 72,
  pc: 1 / 6,
  px: 1 / 96,
};

/** Returns the rectangle of a shape without its rotation, or undefined if the shape has no position. */
function odfBox(attributes: Readonly<Record<string, string>>): SlideBox | undefined {
  const [, x, y] =
    /translate\s{0,9}\(\s{0,9}([^\s,()]{1,30})[\s,]{1,9}([^\s,()]{1,30})\s{0,9}\)/.exec(
      attributes.transform ?? '',
    ) ?? [];
  const left = inches(attributes.x ?? x ?? attributes.x1);
  const top = inches(attributes.y ?? y ?? attributes.y1);
  if (left === undefined || top === undefined) return undefined;
  return { left, top, width: inches(attributes.width) ?? 0, height: inches(attributes.height) ?? 0 };
}

function inches(text: string | undefined): number | undefined {
  const [, number, unit = ''] = /^(-?[\d.]{1,20})([a-z]{2})$/.exec(text ?? '') ?? [];
  const factor = INCHES[unit];
  return number === undefined || factor === undefined ? undefined : Number(number) * factor;
}

function factsOf(archive: ZipArchive): Omit<PageContent, 'markdown'> {
  const meta = findByPath(parseXml(archive.xml('meta.xml') ?? ''), 'document-meta', 'meta');
  const fact = (name: string) => oneLine(textOf(findByPath(meta, name)));
  const author = fact('creator') || fact('initial-creator');
  const [published, language] = [dateOf(fact('date') || fact('creation-date')), fact('language')];
  return {
    title: fact('title'),
    author: author || undefined,
    published: published || undefined,
    language: language || undefined,
  };
}
