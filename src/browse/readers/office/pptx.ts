import { formatCount } from '../../../lib/text/format-count.ts';
import type { PageContent } from '../../reading/page.ts';
import { openArchive, type ZipArchive } from '../archive.ts';
import { brokenFile } from '../broken-file-error.ts';
import { fragmentToMarkdown } from '../fragment.ts';
import { escapeInlineMarkup } from '../html/markdown/escape.ts';
import { convertToSuperscript } from '../html/markdown/superscripts.ts';
import { escapeBlockStart, markdownTable, oneLine } from '../markdown.ts';
import { childrenOf, findAllBelow, findByPath, parseXml, textOf, type XmlElement } from '../xml.ts';
import { officeFacts } from './docx.ts';
import { readChartOrDiagram } from './graphic-placeholders.ts';
import { formatListNumber, listItemMark } from './number-labels.ts';
import { mathMLOf } from './office-math.ts';
import type { SlideBox } from './reading-order.ts';
import {
  findRelation,
  linkTo,
  mainPart,
  type OfficeRelation,
  readRelations,
  targetsOf,
} from './relations.ts';
import {
  createFindPlace,
  type FindPlace,
  pictureAltText,
  placeholderOf,
  shapesInOrder,
} from './slide-shapes.ts';

const MAX_SLIDES = 1000;
const MAX_LEVEL = 8;

export async function readPptx(body: Uint8Array, url: string): Promise<PageContent> {
  const archive = openArchive(body, url, (name) => /^(?:ppt|docProps|_rels)\/.*\.(?:xml|rels)$/i.test(name));
  const main = mainPart(archive, 'ppt/presentation.xml');
  const presentation = parseXml(archive.xml(main) ?? '');
  const slides = findAllBelow(presentation, 'sldId');
  const targets = readRelations(archive, main);
  const size = findByPath(presentation, 'presentation', 'sldSz')?.attributes;
  const [width, height] = [Number(size?.cx), Number(size?.cy)];
  const area = width > 0 && height > 0 ? { left: 0, top: 0, width, height } : undefined;
  const deck: Deck = {
    area,
    templates: new Map(),
    authors: authorsOf(archive),
    read: new Set(),
    hiddenSlides: 0,
  };
  const parts = slides.slice(0, MAX_SLIDES).map(({ attributes }, index) => {
    const path = findRelation(targets, attributes)?.target;
    return isNew(path, deck) ? slide(archive, path, index + 1, deck) : '';
  });
  if (slides.length > MAX_SLIDES) parts.push(`${slides.length - MAX_SLIDES} more slides are not shown.`);
  if (deck.hiddenSlides > 0) parts.push(`Not shown: ${formatCount(deck.hiddenSlides, 'hidden slide')}.`);
  const markdown = parts.filter(Boolean).join('\n\n');
  if (!markdown) throw brokenFile(url, 'PowerPoint file', undefined, 'it names no slides');
  return { ...officeFacts(archive), markdown, units: parts };
}

interface Deck {
  readonly area: SlideBox | undefined;
  readonly templates: Map<string, FindPlace>;
  readonly authors: ReadonlyMap<string | undefined, string | undefined>;
  readonly read: Set<string>;
  hiddenSlides: number;
}

/** True at the first call for a path. Several places in a file may refer to the same part of the file. */
function isNew(path: string | undefined, { read }: Deck): path is string {
  return path !== undefined && path !== '' && !read.has(path) && read.add(path).has(path);
}

function slide(archive: ZipArchive, path: string, number: number, deck: Deck): string {
  const tree = parseXml(archive.xml(path) ?? '');
  if (findByPath(tree, 'sld')?.attributes.show === '0') {
    deck.hiddenSlides++;
    return '';
  }
  const relations = readRelations(archive, path);
  const [layout = ''] = targetsOf(relations, 'slideLayout');
  const findPlace = deck.templates.get(layout) ?? createFindPlace(templatesOf(archive, layout));
  deck.templates.set(layout, findPlace);
  const shapes = shapesInOrder(tree, findPlace, deck.area);
  const title = shapes.find((shape) => /^(title|ctrTitle)$/.test(placeholderOf(shape)));
  const heading = oneLine(wordsOf(title, relations));
  const blocks = [`## ${heading || `Slide ${number}`}`];
  for (const element of shapes) {
    if (element === title || /^(sldNum|ftr|dt|hdr)$/.test(placeholderOf(element))) continue;
    if (element.name === 'tbl') blocks.push(table(element, relations));
    else if (/^(?:chart|relIds)$/.test(element.name))
      blocks.push(readChartOrDiagram(archive, findRelation(relations, element.attributes)?.target));
    else if (element.name === 'pic') blocks.push(pictureAltText(element));
    else blocks.push(list(paragraphs(element, relations)));
  }
  const [notes] = targetsOf(relations, 'notesSlide');
  const spoken = findAllBelow(parseXml((isNew(notes, deck) && archive.xml(notes)) || ''), 'sp');
  const body = spoken.find((one) => placeholderOf(one) === 'body');
  const said = wordsOf(body, undefined, '\n\n');
  if (said) blocks.push(`### Notes\n\n${said}`);
  const comments = targetsOf(relations, 'comments').filter((one) => isNew(one, deck));
  blocks.push(...comments.flatMap((one) => commentsOf(archive, one, deck)));
  return blocks.filter(Boolean).join('\n\n');
}

const MAX_COMMENTS = 1000;

function authorsOf(archive: ZipArchive): Deck['authors'] {
  const older = findAllBelow(parseXml(archive.xml('ppt/commentAuthors.xml') ?? ''), 'cmAuthor');
  const newer = findAllBelow(parseXml(archive.xml('ppt/authors.xml') ?? ''), 'author');
  return new Map([...older, ...newer].map(({ attributes }) => [attributes.id, attributes.name]));
}

function commentsOf(archive: ZipArchive, path: string, { authors }: Deck): string[] {
  return findAllBelow(parseXml(archive.xml(path) ?? ''), 'cm')
    .flatMap((comment) => [comment, ...findAllBelow(comment, 'reply')])
    .slice(0, MAX_COMMENTS)
    .map((comment) => {
      const words = childrenOf(comment, 'txBody').flatMap((one) => findAllBelow(one, 't'));
      const by = oneLine(authors.get(comment.attributes.authorId) ?? '');
      const text = [...childrenOf(comment, 'text'), ...words].map(textOf).join(' ');
      return `Comment${by && ` by ${by}`}: ${oneLine(text)}`;
    });
}

function templatesOf(archive: ZipArchive, layout: string): XmlElement[] {
  const [master = ''] = targetsOf(readRelations(archive, layout), 'slideMaster');
  return [layout, master].map((path) => parseXml(archive.xml(path) ?? ''));
}

interface Paragraph {
  readonly text: string;
  readonly level: number;
  readonly isPoint: boolean;
  readonly label: string | undefined;
}

type Relations = ReadonlyMap<string, OfficeRelation>;

function paragraphs(shape: XmlElement | undefined, relations: Relations = new Map()): Paragraph[] {
  const counts: number[] = [];
  // Body placeholders get bullets from the master slide. Other shapes must define bullets themselves.
  const hasBullets =
    /^(?:obj|body)$/.test(placeholderOf(shape)) ||
    findAllBelow(findByPath(shape, 'txBody', 'lstStyle'), 'buChar').length > 0;
  return findAllBelow(shape, 'p').flatMap((p) => {
    let before = '';
    const runs = childrenOf(p).map((run) => {
      const text = runText(run, relations, before);
      before = text || before;
      return text;
    });
    const text = runs.join('').split('\n').map(oneLine).filter(Boolean).join('\n');
    if (!text) return [];
    const properties = findByPath(p, 'pPr');
    const isPoint = Boolean(
      childrenOf(properties).some(({ name }) => /^bu(?:Char|AutoNum|Blip)$/.test(name)) ||
        ((hasBullets || properties?.attributes.lvl) && !findByPath(properties, 'buNone')),
    );
    const level = Math.min(Math.max(Number(properties?.attributes.lvl) || 0, 0), MAX_LEVEL);
    const numbered = findByPath(properties, 'buAutoNum')?.attributes;
    counts.length = Math.min(counts.length, level + 1);
    counts[level] = numbered ? (counts[level] ?? Number(numbered.startAt ?? 1) - 1) + 1 : 0;
    if (!numbered) counts.length = level;
    return { text, level, isPoint, label: numbered && labelOf(counts[level] ?? 1, numbered.type ?? '') };
  });
}

function runText(run: XmlElement, relations: Relations, before: string): string {
  if (run.name === 'br') return '\n';
  if (run.name === 'AlternateContent')
    return childrenOf(findByPath(run, 'Choice'))
      .map((one) => runText(one, relations, before))
      .join('');
  if (run.name === 'm')
    return findAllBelow(run, 'oMath')
      .map((one) => fragmentToMarkdown(mathMLOf(one), 'file:///'))
      .join(' ');
  const link = findByPath(run, 'rPr', 'hlinkClick');
  const said = escapeInlineMarkup(textOf(findByPath(run, 't')));
  const isRaised = Number(findByPath(run, 'rPr')?.attributes.baseline) > 0;
  const text = isRaised ? convertToSuperscript(said, before) : said;
  return link ? linkTo(findRelation(relations, link.attributes), text) : text;
}

/** Writes a number in a format of PowerPoint (ST_TextAutonumberScheme): `alphaLcParenR` gives `a)`. */
function labelOf(number: number, scheme: string): string {
  const [sort = ''] = /^[a-zA-Z\d]{1,40}?(?=ParenBoth|ParenR|Period|Plain|$)/.exec(scheme) ?? [];
  const sign = scheme.slice(sort.length);
  // PowerPoint's `alphaLc` is Word's `lowerLetter`, and `romanUc` is `upperRoman`.
  const [, kind, letters] = /^(alpha|roman)(Lc|Uc)$/.exec(sort) ?? [];
  const format = `${letters === 'Lc' ? 'lower' : 'upper'}${kind === 'roman' ? 'Roman' : 'Letter'}`;
  const text = formatListNumber(number, kind ? format : sort);
  if (sign === 'ParenBoth') return `(${text})`;
  return text + (sign === 'ParenR' ? ')' : sign === 'Plain' ? '' : '.');
}

const escapeLines = (text: string): string => text.split('\n').map(escapeBlockStart).join('\n');

function list(points: readonly Paragraph[]): string {
  const [first] = points;
  if (!first || (points.length < 2 && first.label === undefined)) return escapeLines(first?.text ?? '');
  const indents: number[] = [];
  return points
    .map(({ text, level, label, isPoint }, index) => {
      const between = index > 0 && (isPoint && points[index - 1]?.isPoint ? '\n' : '\n\n');
      if (!isPoint) return `${between || ''}${escapeLines(text)}`;
      const mark = listItemMark(label);
      // An item is indented to the text of its parent: two columns below `- `, three below `1. `.
      const indent =
        level === 0 ? 0 : (indents.slice(0, level).findLast((at) => at !== undefined) ?? 2 * level);
      indents.length = Math.min(indents.length, level);
      indents[level] = indent + (label !== undefined && !mark.startsWith('-') ? mark.length : 2);
      const lines = text.replaceAll('\n', `\n${' '.repeat(indent + 2)}`);
      return `${between || ''}${' '.repeat(indent)}${mark}${lines}`;
    })
    .join('');
}

function table(element: XmlElement, relations: Relations): string {
  // Ignores text in a cell that a merged cell covers, because some programs leave text there.
  const isCovered = /^(?:1|true)$/;
  const cells = (row: XmlElement) =>
    childrenOf(row, 'tc').map((cell) =>
      isCovered.test(cell.attributes.hMerge ?? cell.attributes.vMerge ?? '')
        ? ''
        : wordsOf(cell, relations, '\n'),
    );
  return markdownTable(childrenOf(element, 'tr').map(cells));
}

function wordsOf(shape: XmlElement | undefined, relations?: Relations, between = ' '): string {
  const texts = paragraphs(shape, relations).map(({ text }) => (between === ' ' ? text : escapeLines(text)));
  return texts.join(between);
}
