import { withoutInvisible } from '../../../lib/text/invisible.ts';
import type { ZipArchive } from '../archive.ts';
import { oneLine } from '../markdown.ts';
import { childrenOf, findAllBelow, findByPath, isElement, parseXml, textOf, type XmlNode } from '../xml.ts';
import { isUnseenPhantom } from './office-math.ts';
import { findRelation, readRelations } from './relations.ts';

const MAX_PARTS = 200;
/** A paragraph with a page number and at most this many letters is dropped, for example `Page 1 of 3`. */
const PAGE_LETTERS = 12;

export function readDocxEdges(archive: ZipArchive, main: string, visible: (xml: string) => string) {
  const root = parseXml(archive.xml(main) ?? '');
  const relations = readRelations(archive, main);
  const sections = findAllBelow(root, 'sectPr').slice(0, MAX_PARTS);
  const textsOf = (name: string) => {
    const parts = sections.flatMap((section) =>
      childrenOf(section, `${name}Reference`)
        .filter(
          ({ attributes: { type } }) =>
            type === 'default' || (type === 'first' && findByPath(section, 'titlePg')),
        )
        .map(({ attributes }) => findRelation(relations, attributes)?.target ?? ''),
    );
    const texts = [...new Set(parts)].flatMap((part) => paragraphsOf(visible(archive.xml(part) ?? '')));
    return [...new Set(texts)];
  };
  return { header: textsOf('header'), footer: textsOf('footer') };
}

function paragraphsOf(xml: string): string[] {
  return findAllBelow(parseXml(xml), 'p').flatMap((paragraph) => {
    const text = oneLine(withoutInvisible(visibleText(paragraph)));
    const letters = text.match(/\p{L}/gu)?.length ?? 0;
    const codes = [
      ...['instrText', 'delInstrText'].flatMap((name) => findAllBelow(paragraph, name).map(textOf)),
      ...findAllBelow(paragraph, 'fldSimple').map(({ attributes }) => attributes.instr ?? ''),
    ];
    const isNumber = letters === 0 || (letters <= PAGE_LETTERS && codes.some((code) => /PAGE/.test(code)));
    return isNumber ? [] : [text];
  });
}

/** Elements with text that readers do not see: field codes, deleted text, copies for older programs. */
const UNSEEN = /^(?:instrText|delText|del|moveFrom|Fallback|rPr|pPr)$/;

function visibleText(node: XmlNode): string {
  if (!isElement(node) || UNSEEN.test(node.name) || isUnseenPhantom(node)) return '';
  if (node.name === 't') return textOf(node);
  if (node.name === 'tab' || node.name === 'br') return ' ';
  const inside = node.children.map(visibleText).join('');
  return node.name === 'p' ? ` ${inside} ` : inside;
}
