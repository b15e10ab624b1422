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
  const formulas = createFormulas();
  const graphics = createGraphics(archive);
  try {
    const part = (name: string) => findByPath(parseXml(archive.xml(`word/${name}.xml`) ?? ''), name);
    const numbering = createNumbering(part('numbering'), part('styles'));
    const { hidden, headings } = readWordStyles(part('styles'));
    // Repacks the unpacked files, because the library would otherwise unpack the archive itself and trust false sizes in it.
    const buffer = Buffer.from(
      repackArchive(archive, (xml, name) =>
        formulas.takeOut(prepared(xml, name, { numbering, hidden, graphics })),
      ),
    );
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
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw brokenFile(url, 'Word document', cause);
  }
  const { header, footer } = readEdges(archive);
  const text = graphics.putBack(replaceMarks(fragmentToMarkdown(withItemNumbers(html), 'file:///')));
  return { ...officeFacts(archive), markdown: [...header, text, ...footer].filter(Boolean).join('\n\n') };
}

interface Preparing {
  readonly numbering: NumberingReader;
  readonly hidden: ReadonlySet<string>;
  readonly graphics: ReturnType<typeof createGraphics>;
}

/** Edits a file of the archive, so that Mammoth reads what Word shows. */
function prepared(xml: string, name: string, { numbering, hidden, graphics }: Preparing): string {
  const text = withoutWrappers(withoutHidden(withUsualPrefix(withoutMarks(wellFormed(xml))), hidden));
  if (/^word\/comments\.xml$/i.test(name)) return withAuthors(text);
  return /^word\/(?:document\d*|footnotes|endnotes)\.xml$/i.test(name)
    ? withNumbers(withTextBoxes(graphics.takeOut(text)), numbering)
    : text;
}

const RUNS =
  /<w:r[\s>]|<\/w:r>|<\/?w:pPr>|<w:(?:vanish|specVanish|webHidden)(?: w:val="(?:1|true|on)")?>|<w:sz w:val="[0-4]">|<w:rStyle w:val="([^"<>]{1,200})">/g;

/** Removes hidden text, so that it cannot instruct an assistant. */
function withoutHidden(xml: string, hidden: ReadonlySet<string>): string {
  const open: { readonly start: number; hidden: boolean }[] = [];
  let out = '';
  let kept = 0;
  let paragraph = false;
  for (const { 0: tag, 1: style, index } of xml.matchAll(RUNS)) {
    const run = open.at(-1);
    if (style !== undefined && !hidden.has(style)) continue;
    if (/^<w:r[\s>]/.test(tag)) open.push({ start: index, hidden: false });
    // Skips the properties of a paragraph mark, which may be hidden although the paragraph's text is visible.
    else if (tag.endsWith('w:pPr>')) paragraph = !tag.startsWith('</');
    else if (tag !== '</w:r>') {
      if (run && !paragraph) run.hidden = true;
    } else if (open.pop()?.hidden && run && run.start >= kept) {
      out += xml.slice(kept, run.start);
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
