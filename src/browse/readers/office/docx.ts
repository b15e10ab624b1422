import { AppError } from '../../../errors.ts';
import type { PageContent } from '../../reading/page.ts';
import { openArchive, repackArchive, type ZipArchive } from '../archive.ts';
import { brokenFile } from '../broken-file-error.ts';
import type { AttachmentReader } from '../email.ts';
import { dateOf } from '../feeds/feed.ts';
import { fragmentToMarkdown } from '../fragment.ts';
import { oneLine } from '../markdown.ts';
import { childrenOf, findByPath, parseXml, repairXml, textOf, type XmlElement } from '../xml.ts';
import { readDocxEdges } from './docx-edges.ts';
import {
  type DocxNode,
  markDocxDocument,
  replaceLabelMarks,
  withItemNumbers,
  withNumbers,
  withoutDocxMarks,
} from './docx-labels.ts';
import { createNumbering, type NumberingReader } from './docx-numbers.ts';
import { moveOutTextBoxes } from './docx-text-boxes.ts';
import { normalizeXmlPrefix, unwrapDocxElements, withCommentAuthors } from './docx-xml.ts';
import { createGraphicPlaceholders } from './graphic-placeholders.ts';
import { withPlainCodes, withPlainHyperlinks } from './hyperlink-field.ts';
import { createFormulaPlaceholders } from './office-math.ts';
import { mainPart, type OfficeRelation, readRelations, targetsOf } from './relations.ts';

export async function readDocx(
  body: Uint8Array,
  url: string,
  readChunk?: AttachmentReader,
): Promise<PageContent> {
  const archive = openArchive(body, url, (name) => /\.(?:xml|rels|x?html?|mht|rtf|docx)$/i.test(name));
  const { default: mammoth } = await import('mammoth');
  let html: string;
  let edges: ReturnType<typeof readDocxEdges>;
  const formulas = createFormulaPlaceholders();
  const main = mainPart(archive, 'word/document.xml');
  const relations = readRelations(archive, main);
  const nameOf = (type: string) => targetsOf(relations, type)[0] ?? `word/${type}.xml`;
  const graphics = createGraphicPlaceholders(
    archive,
    relations,
    await chunksOf(archive, relations, readChunk),
  );
  try {
    const part = (name: string) => findByPath(parseXml(archive.xml(nameOf(name)) ?? ''), name);
    const numbering = createNumbering(part('numbering'), part('styles'));
    const { hidden, headings, headingIds } = readWordStyles(part('styles'));
    // Mammoth unpacks archives without checking sizes, so it gets an archive that was checked and packed again.
    const edit = (xml: string, name: string) =>
      formulas.takeOut(
        prepared(xml, {
          numbering,
          hidden,
          graphics,
          isComments: name === nameOf('comments'),
          isText: [main, nameOf('footnotes'), nameOf('endnotes')].includes(name),
        }),
      );
    const buffer = Buffer.from(repackArchive(archive, edit));
    const result = await mammoth.convertToHtml(
      { buffer },
      {
        styleMap: [
          "p[style-name='Title'] => h1:fresh",
          "p[style-name='Subtitle'] => h2:fresh",
          "p[style-name='Quote'] => blockquote > p:fresh",
          "p[style-name='Intense Quote'] => blockquote > p:fresh",
          "p[style-name='HTML Preformatted'] => pre:separator('\\n')",
          'comment-reference => sup',
          "br[type='page'] => br",
          "br[type='column'] => br",
          ...headings,
        ],
        externalFileAccess: false,
        transformDocument: (node: DocxNode) => markDocxDocument(node, headingIds),
        convertImage: mammoth.images.imgElement(async () => ({ src: '' })),
      },
    );
    // `role` marks tables as data. Otherwise, a table with a nested table would be treated as layout.
    html = formulas.putBack(result.value.replaceAll('<table>', '<table role="table">'));
    edges = readDocxEdges(archive, main, (xml) => visible(xml, hidden));
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw brokenFile(url, 'Word document', cause);
  }
  const text = graphics.putBack(replaceLabelMarks(fragmentToMarkdown(withItemNumbers(html), 'file:///')));
  return {
    ...officeFacts(archive),
    markdown: [...edges.header, text, ...edges.footer].filter(Boolean).join('\n\n'),
  };
}

interface DocxContext {
  readonly numbering: NumberingReader;
  readonly hidden: ReadonlySet<string>;
  readonly graphics: ReturnType<typeof createGraphicPlaceholders>;
  readonly isComments: boolean;
  readonly isText: boolean;
}

const MAX_CHUNKS = 20;

/** Reads the documents that Word shows inside the document (`altChunk`). The keys are relation ids. */
async function chunksOf(
  archive: ZipArchive,
  relations: ReadonlyMap<string, OfficeRelation>,
  read: AttachmentReader | undefined,
): Promise<Map<string, string>> {
  const chunks = new Map<string, string>();
  for (const [id, { target, type }] of relations) {
    const body = type.endsWith('/aFChunk') && chunks.size < MAX_CHUNKS ? archive.bytes(target) : undefined;
    if (body && /\.x?html?$/i.test(target))
      chunks.set(id, fragmentToMarkdown(archive.text(target) ?? '', 'file:///'));
    else if (body && read)
      chunks.set(
        id,
        await read({ url: target, contentType: '', body }).then(
          ({ markdown }) => markdown,
          () => '',
        ),
      );
  }
  return chunks;
}

function prepared(xml: string, { numbering, hidden, graphics, isComments, isText }: DocxContext): string {
  const text = unwrapDocxElements(withPlainHyperlinks(visible(xml, hidden)));
  if (isComments) return withCommentAuthors(text);
  return isText ? withNumbers(moveOutTextBoxes(graphics.takeOut(text)), numbering) : text;
}

/** If a deletion contains only one end of a field, writes the field's marks again after the deletion. */
function withFieldEnds(xml: string): string {
  if (!xml.includes('</w:del>')) return xml;
  return xml
    .split('</w:del>')
    .map((piece, at, all) => {
      if (at === all.length - 1) return piece;
      const deleted = piece.slice(Math.max(piece.lastIndexOf('<w:del>'), piece.lastIndexOf('<w:del '), 0));
      const marks = [...deleted.matchAll(/<w:fldChar w:fldCharType="(begin|separate|end)"/g)].map(
        ([, type]) => type,
      );
      const isWhole =
        marks.filter((type) => type === 'begin').length === marks.filter((type) => type === 'end').length;
      const kept = isWhole ? [] : marks;
      return `${piece}</w:del>${kept.map((type) => `<w:r><w:fldChar w:fldCharType="${type}"></w:fldChar></w:r>`).join('')}`;
    })
    .join('');
}

const RUNS =
  /<w:p(?: [^<>]*)?>(?:\s*<w:pPr>\s*<w:pStyle w:val="([^"<>]{1,200})">)?|<[wm]:r[\s>]|<\/(?:w:[pr]|m:r)>|<w:(?:vanish|specVanish|webHidden)(?: w:val="(?:1|true|on)")?>|<w:sz w:val="[0-4]">|<w:rStyle w:val="([^"<>]{1,200})">/g;

/** Removes hidden text from a file of the archive, because it could instruct an assistant. */
function visible(part: string, hidden: ReadonlySet<string>): string {
  const xml = normalizeXmlPrefix(withoutDocxMarks(repairXml(part)));
  const open: { readonly start: number; readonly isRun: boolean; hidden: boolean }[] = [];
  let [out, kept] = ['', 0];
  for (const { 0: tag, 1: ofParagraph, 2: ofRun, index } of xml.matchAll(RUNS)) {
    const inner = open.at(-1);
    const style = ofParagraph ?? ofRun;
    const isHidden = style !== undefined && hidden.has(style);
    if (/^<(?:w:p|[wm]:r)[\s>]/.test(tag))
      open.push({ start: index, isRun: !tag.startsWith('<w:p'), hidden: isHidden });
    else if (!tag.startsWith('</')) {
      // A paragraph mark may be hidden although the text is visible, so its properties do not count.
      if (inner?.isRun && (isHidden || style === undefined)) inner.hidden = true;
    } else if (open.pop()?.hidden && inner && inner.start >= kept) {
      out += xml.slice(kept, inner.start);
      kept = index + tag.length;
    }
  }
  return withPlainCodes(withFieldEnds(out + xml.slice(kept)));
}

export function officeFacts(archive: ZipArchive): Omit<PageContent, 'markdown'> {
  const core = findByPath(parseXml(archive.xml('docProps/core.xml') ?? ''), 'coreProperties');
  const fact = (name: string) => oneLine(textOf(findByPath(core, name)));
  const [author, published] = [fact('creator'), dateOf(fact('modified') || fact('created'))];
  return { title: fact('title'), author: author || undefined, published: published || undefined };
}

const MAX_STYLES = 5000;
const MAX_PARENTS = 20;

function readWordStyles(root: XmlElement | undefined) {
  const styles = new Map(
    childrenOf(root, 'style')
      .slice(0, MAX_STYLES)
      .map((style) => [style.attributes.styleId ?? '', style] as const),
  );
  const find = <Value>(id: string, read: (style: XmlElement) => Value | undefined): Value | undefined => {
    let style = styles.get(id);
    for (let count = 0; style && count < MAX_PARENTS; count++) {
      const value = read(style);
      if (value !== undefined) return value;
      style = styles.get(findByPath(style, 'basedOn')?.attributes.val ?? '');
    }
    return undefined;
  };
  const hidden = [...styles].filter(([id]) => find(id, isVanished));
  const levels = [...styles].flatMap(([id, style]): [id: string, level: number, isNamed: boolean][] => {
    const level = style.attributes.type === 'paragraph' ? find(id, levelOf) : undefined;
    return level !== undefined && level < 6 ? [[id, level, headingLevel(style) !== undefined]] : [];
  });
  const headings = levels.flatMap(([id, level, isNamed]) =>
    !isNamed && /^[\w-]{1,100}$/.test(id) ? [`p.${id} => h${level + 1}:fresh`] : [],
  );
  return {
    hidden: new Set(hidden.map(([id]) => id)),
    headings,
    headingIds: new Set(levels.map(([id]) => id)),
  };
}

function isVanished(style: XmlElement): boolean | undefined {
  const vanish = findByPath(style, 'rPr', 'vanish');
  return vanish && !/^(?:0|false|off)$/.test(vanish.attributes.val ?? '');
}

/** Returns the outline level of a style, from 0. Level 9 means body text. */
function levelOf(style: XmlElement): number | undefined {
  const level = findByPath(style, 'pPr', 'outlineLvl')?.attributes.val;
  return level === undefined ? headingLevel(style) : Number(level);
}

function headingLevel(style: XmlElement): number | undefined {
  const [, level] = /^heading ([1-9])$/i.exec(findByPath(style, 'name')?.attributes.val ?? '') ?? [];
  return level === undefined ? undefined : Number(level) - 1;
}
