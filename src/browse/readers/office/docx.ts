import { AppError } from '../../../errors.ts';
import type { PageContent } from '../../reading/page.ts';
import { type Archive, openArchive, repackArchive } from '../archive.ts';
import { brokenFile } from '../broken-file-error.ts';
import type { AttachmentReader } from '../email.ts';
import { dateOf } from '../feed.ts';
import { fragmentToMarkdown } from '../fragment.ts';
import { oneLine } from '../markdown.ts';
import { findByPath, parseXml, textOf, wellFormed } from '../xml.ts';
import { readEdges } from './docx-edges.ts';
import { markDocument, replaceMarks, withItemNumbers, withNumbers, withoutMarks } from './docx-labels.ts';
import { createNumbering, type NumberingReader } from './docx-numbers.ts';
import { readWordStyles } from './docx-styles.ts';
import { withTextBoxes } from './docx-text-boxes.ts';
import { withAuthors, withoutWrappers, withUsualPrefix } from './docx-xml.ts';
import { createGraphics } from './graphics.ts';
import { createFormulas } from './office-math.ts';
import { mainPart, type Relation, readRelations, targetsOf } from './relations.ts';

/** Converts a Word document to Markdown, with its notes and comments. Writes pictures as their descriptions. */
export async function readDocx(
  body: Uint8Array,
  url: string,
  readChunk?: AttachmentReader,
): Promise<PageContent> {
  const archive = openArchive(body, url, (name) => /\.(?:xml|rels|x?html?|mht|rtf|docx)$/i.test(name));
  const { default: mammoth } = await import('mammoth');
  let html: string;
  let edges: ReturnType<typeof readEdges>;
  const formulas = createFormulas();
  const main = mainPart(archive, 'word/document.xml');
  const relations = readRelations(archive, main);
  const nameOf = (type: string) => targetsOf(relations, type)[0] ?? `word/${type}.xml`;
  const graphics = createGraphics(archive, relations, await chunksOf(archive, relations, readChunk));
  try {
    const part = (name: string) => findByPath(parseXml(archive.xml(nameOf(name)) ?? ''), name);
    const numbering = createNumbering(part('numbering'), part('styles'));
    const { hidden, headings } = readWordStyles(part('styles'));
    // Repacks the unpacked files, because the library would otherwise unpack the archive itself and trust false sizes in it.
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
        transformDocument: markDocument,
        convertImage: mammoth.images.imgElement(async () => ({ src: '' })),
      },
    );
    html = formulas.putBack(result.value);
    edges = readEdges(archive, main, (xml) => visible(xml, hidden));
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw brokenFile(url, 'Word document', cause);
  }
  const text = graphics.putBack(replaceMarks(fragmentToMarkdown(withItemNumbers(html), 'file:///')));
  return {
    ...officeFacts(archive),
    markdown: [...edges.header, text, ...edges.footer].filter(Boolean).join('\n\n'),
  };
}

interface Preparing {
  readonly numbering: NumberingReader;
  readonly hidden: ReadonlySet<string>;
  readonly graphics: ReturnType<typeof createGraphics>;
  readonly isComments: boolean;
  /** True for the document, and for its notes. */
  readonly isText: boolean;
}

const MAX_CHUNKS = 20;

/** Reads the documents that Word shows within this document (`altChunk`), by the ids of their relations. */
async function chunksOf(
  archive: Archive,
  relations: ReadonlyMap<string, Relation>,
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

/** Edits a file of the archive, so that Mammoth reads what Word shows. */
function prepared(xml: string, { numbering, hidden, graphics, isComments, isText }: Preparing): string {
  const text = withoutWrappers(visible(xml, hidden));
  if (isComments) return withAuthors(text);
  return isText ? withNumbers(withTextBoxes(graphics.takeOut(text)), numbering) : text;
}

const RUNS =
  /<w:p(?: [^<>]*)?>(?:\s*<w:pPr>\s*<w:pStyle w:val="([^"<>]{1,200})">)?|<[wm]:r[\s>]|<\/(?:w:[pr]|m:r)>|<w:(?:vanish|specVanish|webHidden)(?: w:val="(?:1|true|on)")?>|<w:sz w:val="[0-4]">|<w:rStyle w:val="([^"<>]{1,200})">/g;

/** Returns a file of the archive without hidden text, also in formulas, so that it cannot instruct an assistant. */
function visible(part: string, hidden: ReadonlySet<string>): string {
  const xml = withUsualPrefix(withoutMarks(wellFormed(part)));
  const open: { readonly start: number; readonly isRun: boolean; hidden: boolean }[] = [];
  let [out, kept] = ['', 0];
  for (const { 0: tag, 1: ofParagraph, 2: ofRun, index } of xml.matchAll(RUNS)) {
    const inner = open.at(-1);
    const style = ofParagraph ?? ofRun;
    const isHidden = style !== undefined && hidden.has(style);
    if (/^<(?:w:p|[wm]:r)[\s>]/.test(tag))
      open.push({ start: index, isRun: !tag.startsWith('<w:p'), hidden: isHidden });
    else if (!tag.startsWith('</')) {
      // Skips the properties of a paragraph mark, which may be hidden although the paragraph's text is visible.
      if (inner?.isRun && (isHidden || style === undefined)) inner.hidden = true;
    } else if (open.pop()?.hidden && inner && inner.start >= kept) {
      out += xml.slice(kept, inner.start);
      kept = index + tag.length;
    }
  }
  return out + xml.slice(kept);
}

export function officeFacts(archive: Archive): Omit<PageContent, 'markdown'> {
  const core = findByPath(parseXml(archive.xml('docProps/core.xml') ?? ''), 'coreProperties');
  const fact = (name: string) => oneLine(textOf(findByPath(core, name)));
  const [author, published] = [fact('creator'), dateOf(fact('modified') || fact('created'))];
  return { title: fact('title'), author: author || undefined, published: published || undefined };
}
