/** A rectangle on a slide. Distances are from the left and top edges, in the slide's units. */
export interface SlideBox {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export interface PlacedItem<Content> {
  readonly box: SlideBox;
  readonly content: Content;
}

/** Text is assumed to fill this share of its box. The full boxes of separate texts may overlap. */
const HEIGHT_SHARE = 0.8;
const WIDTH_SHARE = 0.9;
/** More items than this are sorted only by their top edges, because the XY cut takes quadratic time. */
const MAX_CUT_ITEMS = 500;

/** Sorts items into rows from top to bottom and, in a row, from left to right (a recursive XY cut). */
export function inReadingOrder<Content>(items: readonly PlacedItem<Content>[]): PlacedItem<Content>[] {
  if (items.length < 2) return [...items];
  const byTop = [...items].sort((one, other) => one.box.top - other.box.top || one.box.left - other.box.left);
  if (items.length > MAX_CUT_ITEMS) return byTop;
  const rows = cut(byTop, ({ top, height }) => [top, top + HEIGHT_SHARE * height]);
  if (rows.length > 1) return rows.flatMap(inReadingOrder);
  const byLeft = [...byTop].sort((one, other) => one.box.left - other.box.left);
  const columns = cut(byLeft, ({ left, width }) => [left, left + WIDTH_SHARE * width]);
  return columns.length > 1 ? columns.flatMap(inReadingOrder) : byTop;
}

function cut<Content>(
  sorted: readonly PlacedItem<Content>[],
  spanOf: (box: SlideBox) => readonly [from: number, to: number],
): PlacedItem<Content>[][] {
  const parts: PlacedItem<Content>[][] = [];
  let reach = -Infinity;
  for (const item of sorted) {
    const [from, to] = spanOf(item.box);
    if (from >= reach) parts.push([]);
    parts.at(-1)?.push(item);
    reach = Math.max(reach, to);
  }
  return parts;
}

export function joinGroup<Content>(
  group: readonly PlacedItem<Content[]>[],
  others: readonly PlacedItem<Content[]>[] = [],
): PlacedItem<Content[]>[] {
  if (group.length < 2) return [...group];
  const box = boxAround(group.map((item) => item.box));
  if (others.some((other) => isMidst(other.box, box))) return [...group];
  return [{ box, content: inReadingOrder(group).flatMap(({ content }) => content) }];
}

function isMidst({ left, top, width, height }: SlideBox, around: SlideBox): boolean {
  const [x, y] = [left + width / 2 - around.left, top + height / 2 - around.top];
  return x > 0 && x < around.width && y > 0 && y < around.height;
}

function boxAround(boxes: readonly SlideBox[]): SlideBox {
  const [left, top] = [
    boxes.reduce((least, box) => Math.min(least, box.left), Infinity),
    boxes.reduce((least, box) => Math.min(least, box.top), Infinity),
  ];
  const right = boxes.reduce((most, box) => Math.max(most, box.left + box.width), -Infinity);
  const bottom = boxes.reduce((most, box) => Math.max(most, box.top + box.height), -Infinity);
  return { left, top, width: right - left, height: bottom - top };
}
