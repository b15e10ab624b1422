import { writePictureWords } from '../html/markdown/pictures.ts';
import { childrenOf, findAllBelow, findByPath, textOf, type XmlElement } from '../xml.ts';
import { inReadingOrder, joinGroup, type PlacedItem, type SlideBox } from './reading-order.ts';

const MAX_DEPTH = 50;

export function placeholderOf(shape: XmlElement | undefined): string {
  const own = shape && placeholder(shape);
  return own ? (own.type ?? 'obj') : '';
}

function placeholder(shape: XmlElement): Readonly<Record<string, string>> | undefined {
  return findByPath(shape, 'nvSpPr', 'nvPr', 'ph')?.attributes;
}

export type FindPlace = (placeholder: Readonly<Record<string, string>>) => SlideBox | undefined;

export function createFindPlace(templates: readonly XmlElement[]): FindPlace {
  const known = templates.map((tree) =>
    findAllBelow(tree, 'sp').flatMap((shape) => {
      const [own, box] = [placeholder(shape), boxOf(findByPath(shape, 'spPr', 'xfrm'))];
      return own && box ? [{ type: sortOf(own.type), idx: own.idx, box }] : [];
    }),
  );
  return ({ type, idx }) => {
    for (const places of known) {
      const found =
        places.find((one) => idx !== undefined && one.idx === idx) ??
        places.find((one) => one.type === sortOf(type));
      if (found) return found.box;
    }
    return undefined;
  };
}

/** Returns the type of a slide's placeholder in the master: `title` for `ctrTitle`, `body` for `subTitle`. */
function sortOf(type = 'obj'): string {
  if (type === 'ctrTitle') return 'title';
  return /^(?:obj|body|subTitle|tbl|chart|dgm|media|clipArt|pic)$/.test(type) ? 'body' : type;
}

export function shapesInOrder(
  tree: XmlElement,
  findPlace: FindPlace,
  slide: SlideBox | undefined,
): XmlElement[] {
  const spTree = findAllBelow(tree, 'spTree')[0];
  const walk: TreeWalk = { findPlace, slide, last: { left: 0, top: 0, width: 0, height: 0 } };
  const placed = spTree ? itemsOf(spTree, walk, (box) => box, 0) : [];
  return inReadingOrder(placed).flatMap(({ content }) => content);
}

interface TreeWalk {
  readonly findPlace: FindPlace;
  readonly slide: SlideBox | undefined;
  /** Box of the last shape with a position. A shape without a position gets the same box. */
  last: SlideBox;
}

type SlideItem = PlacedItem<XmlElement[]>;

function itemsOf(parent: XmlElement, walk: TreeWalk, toSlide: (box: SlideBox) => SlideBox, depth: number) {
  const parts: { readonly items: SlideItem[]; readonly isGroup: boolean }[] = [];
  for (const child of childrenOf(parent)) {
    // The element `Fallback` repeats content for older programs and is skipped.
    if (child.name === 'Fallback' || isHidden(child)) continue;
    const isGroup = !/^(?:sp|tbl|graphicFrame|pic)$/.test(child.name);
    if (!isGroup) parts.push({ items: placed(child, walk, toSlide), isGroup });
    else if (depth < MAX_DEPTH) {
      const transform = child.name === 'grpSp' ? transformOf(child, toSlide) : toSlide;
      parts.push({ items: itemsOf(child, walk, transform, depth + 1), isGroup });
    }
  }
  const single = parts.flatMap(({ items, isGroup }) => (isGroup ? [] : items));
  return parts.flatMap(({ items, isGroup }) => (isGroup ? joinGroup(items, single) : items));
}

function placed(shape: XmlElement, walk: TreeWalk, toSlide: (box: SlideBox) => SlideBox): SlideItem[] {
  const isFrame = shape.name === 'graphicFrame';
  const content = isFrame ? ['tbl', 'chart', 'relIds'].flatMap((name) => findAllBelow(shape, name)) : [shape];
  const isElsewhere = content.some(({ name }) => name === 'chart' || name === 'relIds');
  // Skips shapes without text. A background shape would overlap all texts and prevent their sorting.
  const hasText =
    isElsewhere || pictureAltText(shape) || findAllBelow(shape, 't').some((text) => textOf(text).trim());
  if (content.length === 0 || !hasText) return [];
  const own = boxOf(isFrame ? findByPath(shape, 'xfrm') : findByPath(shape, 'spPr', 'xfrm'));
  const named = own ? undefined : placeholder(shape);
  const box = own ? toSlide(own) : ((named && walk.findPlace(named)) ?? walk.last);
  walk.last = box;
  return walk.slide && isOutside(box, walk.slide) ? [] : [{ box, content }];
}

function isOutside({ left, top, width, height }: SlideBox, slide: SlideBox): boolean {
  return left + width < 0 || top + height < 0 || left > slide.width || top > slide.height;
}

export function isHidden(shape: XmlElement): boolean {
  return childrenOf(shape).some((child) =>
    /^(?:1|true)$/.test(findByPath(child, 'cNvPr')?.attributes.hidden ?? ''),
  );
}

export function pictureAltText(picture: XmlElement): string {
  const { descr = '', title = '' } = findByPath(picture, 'nvPicPr', 'cNvPr')?.attributes ?? {};
  return writePictureWords(descr.trim() ? descr : title);
}

export function boxOf(xfrm: XmlElement | undefined): SlideBox | undefined {
  return rectangle(xfrm, 'off', 'ext');
}

function rectangle(xfrm: XmlElement | undefined, place: string, size: string): SlideBox | undefined {
  const [off, ext] = [findByPath(xfrm, place)?.attributes, findByPath(xfrm, size)?.attributes];
  const [left, top] = [Number(off?.x), Number(off?.y)];
  if (!Number.isFinite(left) || !Number.isFinite(top)) return undefined;
  return { left, top, width: Number(ext?.cx) || 0, height: Number(ext?.cy) || 0 };
}

function transformOf(group: XmlElement, toSlide: (box: SlideBox) => SlideBox): (box: SlideBox) => SlideBox {
  const xfrm = findByPath(group, 'grpSpPr', 'xfrm');
  const [outer, inner] = [rectangle(xfrm, 'off', 'ext'), rectangle(xfrm, 'chOff', 'chExt')];
  if (!outer || !inner) return toSlide;
  const across = inner.width > 0 && outer.width > 0 ? outer.width / inner.width : 1;
  const down = inner.height > 0 && outer.height > 0 ? outer.height / inner.height : 1;
  return ({ left, top, width, height }) =>
    toSlide({
      left: outer.left + (left - inner.left) * across,
      top: outer.top + (top - inner.top) * down,
      width: width * across,
      height: height * down,
    });
}
