import { AppError } from '../../../errors.ts';
import type { PageContent } from '../../reading/page.ts';
import { type Archive, openArchive, repackArchive } from '../archive.ts';
import { brokenFile } from '../broken-file-error.ts';
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

/** Converts a Word document to Markdown, with its notes and comments. Writes pictures as their descriptions. */
export async function readDocx(body: Uint8Array, url: string): Promise<PageContent> {
  const archive = openArchive(body, url, (name) => /\.(xml|rels)$/i.test(name));
  const { default: mammoth } = await import('mammoth');
  let html: string;
  let edges: ReturnType<typeof readEdges>;
  const formulas = createFormulas();
  const graphics = createGraphics(archive);
  try {
    const part = (name: string) => findByPath(parseXml(archive.xml(`word/${name}.xml`) ?? ''), name);
    const numbering = createNumbering(part('numbering'), part('styles'));
    const { hidden, headings } = readWordStyles(part('styles'));
    // Repacks the unpacked files, because the library would otherwise unpack the archive itself and trust false sizes in it.
    const edit = (xml: string, name: string) =>
      formulas.takeOut(prepared(xml, name, { numbering, hidden, graphics }));
    const buffer = Buffer.from(repackArchive(archive, edit));
    const result = await mammoth.convertToHtml(
      { buffer },
      {
        styleMap: [
          "p[style-name='Title'] => h1:fresh",
          "p[style-name='Subtitle'] => h2:fresh",
          'comment-reference => sup',
          ...headings,
        ],
        externalFileAccess: false,
        transformDocument: markDocument,
        convertImage: mammoth.images.imgElement(async () => ({ src: '' })),
      },
    );
    html = formulas.putBack(result.value);
    edges = readEdges(archive, (xml) => visible(xml, hidden));
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
}

/** Edits a file of the archive, so that Mammoth reads what Word shows. */
function prepared(xml: string, name: string, { numbering, hidden, graphics }: Preparing): string {
  const text = withoutWrappers(visible(xml, hidden));
  if (/^word\/comments\.xml$/i.test(name)) return withAuthors(text);
  return /^word\/(?:document\d*|footnotes|endnotes)\.xml$/i.test(name)
    ? withNumbers(withTextBoxes(graphics.takeOut(text)), numbering)
    : text;
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
