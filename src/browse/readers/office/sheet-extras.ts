import type { Archive } from '../archive.ts';
import { oneLine } from '../markdown.ts';
import { childrenOf, findAllBelow, findByPath, parseXml, textOf, type XmlElement } from '../xml.ts';
import { readGraphic } from './graphics.ts';
import { findRelation, type Relation, readRelations, targetsOf } from './relations.ts';
import { isHidden } from './slide-shapes.ts';

const MAX_COMMENTS = 2000;
const MAX_DRAWINGS = 1000;

/** Returns the texts of a sheet outside of its cells: comments, text boxes and charts. */
export function sheetExtras(archive: Archive, relations: ReadonlyMap<string, Relation>): string[] {
  const threads = targetsOf(relations, 'threadedComment');
  const comments =
    threads.length > 0
      ? threadedComments(archive, threads)
      : targetsOf(relations, 'comments').flatMap((path) => plainComments(archive, path));
  return [...targetsOf(relations, 'drawing').flatMap((path) => drawingTexts(archive, path)), ...comments];
}

/** Reads threaded comments of newer Excel versions, which also write plain copies of them for older versions. */
function threadedComments(archive: Archive, paths: readonly string[]): string[] {
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

function plainComments(archive: Archive, path: string): string[] {
  const root = findByPath(parseXml(archive.xml(path) ?? ''), 'comments');
  const authors = childrenOf(findByPath(root, 'authors'), 'author').map(textOf);
  return childrenOf(findByPath(root, 'commentList'), 'comment')
    .slice(0, MAX_COMMENTS)
    .map((comment) => {
      const text = findAllBelow(findByPath(comment, 'text'), 't').map(textOf).join('');
      return commentLine(comment, authors[Number(comment.attributes.authorId)], text);
    });
}

function commentLine({ attributes }: XmlElement, author = '', text: string): string {
  const [by, said] = [oneLine(author), oneLine(text)];
  // Removes the author's name, with which Excel begins the text of a comment.
  const words = by !== '' && said.startsWith(`${by}:`) ? said.slice(by.length + 1).trim() : said;
  return words && `Comment on ${attributes.ref ?? 'a cell'}${by && ` by ${by}`}: ${words}`;
}

function drawingTexts(archive: Archive, path: string): string[] {
  const relations = readRelations(archive, path);
  return visibleParts(parseXml(archive.xml(path) ?? ''))
    .slice(0, MAX_DRAWINGS)
    .map((part) =>
      part.name === 'chart'
        ? readGraphic(archive, findRelation(relations, part.attributes)?.target)
        : findAllBelow(part, 'p')
            .map((one) => oneLine(findAllBelow(one, 't').map(textOf).join('')))
            .filter(Boolean)
            .join('\n\n'),
    );
}

/** Returns the texts and charts of a drawing, without hidden shapes and copies for older programs. */
function visibleParts(parent: XmlElement): XmlElement[] {
  return childrenOf(parent).flatMap((one) => {
    if (one.name === 'Fallback' || isHidden(one)) return [];
    return /^(?:txBody|chart)$/.test(one.name) ? [one] : visibleParts(one);
  });
}
