import type { ZipArchive } from '../archive.ts';
import { escapeMarkdown } from '../html/markdown/escape.ts';
import { oneLine } from '../markdown.ts';
import { childrenOf, findAllBelow, findByPath, parseXml, textOf, type XmlElement } from '../xml.ts';
import { readChartOrDiagram } from './graphic-placeholders.ts';
import { findRelation, type OfficeRelation, readRelations, targetsOf } from './relations.ts';
import { isHidden, pictureAltText } from './slide-shapes.ts';

const MAX_COMMENTS = 2000;
const MAX_DRAWINGS = 1000;

export function sheetExtras(
  archive: ZipArchive,
  relations: ReadonlyMap<string, OfficeRelation>,
  isHiddenCell: (reference: string | undefined) => boolean,
): string[] {
  const threads = targetsOf(relations, 'threadedComment');
  const comments = (
    threads.length > 0
      ? threadedComments(archive, threads)
      : targetsOf(relations, 'comments').flatMap((path) => plainComments(archive, path))
  ).map(([cell, text]) => (isHiddenCell(cell) ? '' : text));
  return [
    ...targetsOf(relations, 'drawing').flatMap((path) => drawingTexts(archive, path)),
    ...targetsOf(relations, 'vmlDrawing').flatMap((path) => controlTexts(archive, path)),
    ...comments,
  ];
}

function threadedComments(archive: ZipArchive, paths: readonly string[]): CellComment[] {
  const names = archive.names.filter((name) => /^xl\/persons\/[^/]+\.xml$/.test(name));
  const persons = names.flatMap((name) => findAllBelow(parseXml(archive.xml(name) ?? ''), 'person'));
  const nameOf = new Map(persons.map(({ attributes }) => [attributes.id, attributes.displayName]));
  return paths
    .flatMap((path) => findAllBelow(parseXml(archive.xml(path) ?? ''), 'threadedComment'))
    .slice(0, MAX_COMMENTS)
    .map((comment) =>
      commentLine(comment, nameOf.get(comment.attributes.personId), textOf(findByPath(comment, 'text'))),
    );
}

function plainComments(archive: ZipArchive, path: string): CellComment[] {
  const root = findByPath(parseXml(archive.xml(path) ?? ''), 'comments');
  const authors = childrenOf(findByPath(root, 'authors'), 'author').map(textOf);
  return childrenOf(findByPath(root, 'commentList'), 'comment')
    .slice(0, MAX_COMMENTS)
    .map((comment) => {
      const text = findAllBelow(findByPath(comment, 'text'), 't').map(textOf).join('');
      return commentLine(comment, authors[Number(comment.attributes.authorId)], text);
    });
}

type CellComment = readonly [cell: string | undefined, text: string];

function commentLine({ attributes }: XmlElement, author = '', text: string): CellComment {
  const [by, said] = [oneLine(author), oneLine(text)];
  // Removes the author's name: Excel writes it at the beginning of a comment's text.
  const words = by !== '' && said.startsWith(`${by}:`) ? said.slice(by.length + 1).trim() : said;
  return [attributes.ref, words && `Comment on ${attributes.ref ?? 'a cell'}${by && ` by ${by}`}: ${words}`];
}

function controlTexts(archive: ZipArchive, path: string): string[] {
  return findAllBelow(parseXml(archive.xml(path) ?? ''), 'shape')
    .slice(0, MAX_DRAWINGS)
    .map((shape) => {
      const data = findByPath(shape, 'ClientData');
      const type = data?.attributes.ObjectType ?? 'Note';
      if (type === 'Note' || /visibility:\s{0,9}hidden/.test(shape.attributes.style ?? '')) return '';
      const text = escapeMarkdown(oneLine(textOf(findByPath(shape, 'textbox'))));
      const isOn = textOf(findByPath(data, 'Checked')).trim() === '1';
      return /^(?:Checkbox|Radio)$/.test(type) ? `[${isOn ? 'x' : ' '}] ${text}`.trim() : text;
    });
}

function drawingTexts(archive: ZipArchive, path: string): string[] {
  const relations = readRelations(archive, path);
  return visibleParts(parseXml(archive.xml(path) ?? ''))
    .slice(0, MAX_DRAWINGS)
    .map((part) =>
      /^(?:chart|relIds)$/.test(part.name)
        ? readChartOrDiagram(archive, findRelation(relations, part.attributes)?.target)
        : findAllBelow(part, 'p')
            .map((one) => oneLine(findAllBelow(one, 't').map(textOf).join('')))
            .concat(pictureAltText(part))
            .filter(Boolean)
            .join('\n\n'),
    );
}

function visibleParts(parent: XmlElement): XmlElement[] {
  return childrenOf(parent).flatMap((one) => {
    if (one.name === 'Fallback' || isHidden(one)) return [];
    return /^(?:txBody|chart|relIds|pic)$/.test(one.name) ? [one] : visibleParts(one);
  });
}
