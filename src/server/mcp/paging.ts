import { badRequestError } from '../../errors.ts';

export const LIST_PAGE_SIZE = 100;

export function sliceListPage<T>(items: readonly T[], cursor: string | undefined, size: number) {
  const offset = cursor === undefined ? 0 : decodeCursor(cursor, items.length);
  const next = offset + size;
  return {
    items: items.slice(offset, next),
    nextCursor: next < items.length ? Buffer.from(String(next)).toString('base64url') : undefined,
  };
}

function decodeCursor(cursor: string, length: number): number {
  const offset = Number(Buffer.from(cursor, 'base64url').toString());
  if (Number.isInteger(offset) && offset > 0 && offset < length) return offset;
  throw badRequestError(
    `cursor is ${JSON.stringify(cursor.slice(0, 80))}: it takes a nextCursor of this list; leave it out to begin again`,
  );
}
