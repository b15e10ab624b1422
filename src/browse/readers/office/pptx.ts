import type { PageContent } from '../../reading/page.ts';
import { type Archive, openArchive } from '../archive.ts';
import { brokenFile } from '../broken-file-error.ts';
import { markdownTable, oneLine } from '../markdown.ts';
import { childrenOf, findAllBelow, findByPath, parseXml, textOf, type XmlElement } from '../xml.ts';
import { officeFacts } from './docx.ts';

const MAX_SLIDES = 1000;

/** Converts a PowerPoint presentation to Markdown: each slide under its title, with its tables and speaker notes. */
export async function readPptx(body: Uint8Array, url: string): Promise<PageContent> {
  const archive = openArchive(
    body,
    url,
    (name) => /\.(xml|rels)$/i.test(name) && /^(ppt|docProps)\//.test(name),
  );
  const main = 'ppt/presentation.xml';
  const slides = findAllBelow(parseXml(archive.xml(main) ?? ''), 'sldId');
  const targets = relations(archive, main);
  const parts = slides.slice(0, MAX_SLIDES).map(({ attributes }, index) => {
    // Tries the values of all attributes as the slide's id, because the prefix of the right attribute differs between files.
    const path = Object.values(attributes)
      .map((id) => targets.get(id)?.target)
      .find(Boolean);
    return path ? slide(archive, path, index + 1) : '';
  });
  if (slides.length > MAX_SLIDES) parts.push(`${slides.length - MAX_SLIDES} more slides are not shown.`);
  const markdown = parts.filter(Boolean).join('\n\n');
  if (!markdown) throw brokenFile(url, 'PowerPoint file', undefined, 'it names no slides');
  return { ...officeFacts(archive), markdown, units: parts };
}

function slide(archive: Archive, path: string, number: number): string {
  const tree = parseXml(archive.xml(path) ?? '');
  if (findByPath(tree, 'sld')?.attributes.show === '0') return '';
  const shapes = findAllBelow(tree, 'sp');
  const title = shapes.find((shape) => /^(title|ctrTitle)$/.test(placeholder(shape)));
  const heading = oneLine(
    paragraphs(title)
      .map(({ text }) => text)
      .join(' '),
  );
  const blocks = [`## ${heading || `Slide ${number}`}`];
  for (const element of content(tree)) {
    if (element === title || /^(sldNum|ftr|dt|hdr)$/.test(placeholder(element))) continue;
    blocks.push(element.name === 'tbl' ? table(element) : list(paragraphs(element)));
  }
  const notes = [...relations(archive, path).values()].find(({ type }) => type.endsWith('/notesSlide'));
  const said = notes ? spoken(parseXml(archive.xml(notes.target) ?? '')) : '';
  if (said) blocks.push(`### Notes\n\n${said}`);
  return blocks.filter(Boolean).join('\n\n');
}

function content(tree: XmlElement): XmlElement[] {
  const found: XmlElement[] = [];
  const visit = (parent: XmlElement) => {
    for (const child of childrenOf(parent)) {
      if (child.name === 'sp' || child.name === 'tbl') found.push(child);
      // Skips the element `Fallback`, which repeats the content for older programs.
      else if (child.name !== 'Fallback') visit(child);
    }
  };
  visit(tree);
  return found;
}

function placeholder(shape: XmlElement): string {
  return findByPath(shape, 'nvSpPr', 'nvPr', 'ph')?.attributes.type ?? '';
}

interface Paragraph {
  readonly text: string;
  readonly level: number;
}

function paragraphs(shape: XmlElement | undefined): Paragraph[] {
  return findAllBelow(shape, 'p')
    .map((p) => ({
      text: oneLine(
        childrenOf(p)
          .map((run) => (run.name === 'br' ? ' ' : textOf(findByPath(run, 't'))))
          .join(''),
      ),
      level: Number(findByPath(p, 'pPr')?.attributes.lvl) || 0,
    }))
    .filter(({ text }) => text);
}

function list(points: readonly Paragraph[]): string {
  if (points.length < 2) return points[0]?.text ?? '';
  return points.map(({ text, level }) => `${'  '.repeat(Math.min(level, 8))}- ${text}`).join('\n');
}

function table(element: XmlElement): string {
  const cells = (row: XmlElement) =>
    childrenOf(row, 'tc').map((cell) =>
      paragraphs(cell)
        .map(({ text }) => text)
        .join(' '),
    );
  return markdownTable(childrenOf(element, 'tr').map(cells));
}

function spoken(notes: XmlElement): string {
  const shape = findAllBelow(notes, 'sp').find((one) => placeholder(one) === 'body');
  return paragraphs(shape)
    .map(({ text }) => text)
    .join('\n\n');
}

function relations(
  archive: Archive,
  path: string,
): Map<string, { readonly target: string; readonly type: string }> {
  const name = path.lastIndexOf('/') + 1;
  const file = `${path.slice(0, name)}_rels/${path.slice(name)}.rels`;
  const all = findAllBelow(parseXml(archive.xml(file) ?? ''), 'Relationship');
  return new Map(
    all.map(({ attributes: { Id = '', Target = '', Type = '' } }) => {
      const target = URL.canParse(Target, `file:///${path}`)
        ? new URL(Target, `file:///${path}`).pathname.slice(1)
        : '';
      return [Id, { target, type: Type }];
    }),
  );
}
