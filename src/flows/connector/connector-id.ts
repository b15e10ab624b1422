import { documentPlaceOf, documentUri, entryIdOf, entryUri } from '../../lib/resource-uri.ts';
import type { Context } from '../../operation.ts';

/** What the ids of the connector stand for: they stay the same between conversations. */
export type ConnectorPlace =
  | { readonly kind: 'entry'; readonly id: string }
  | { readonly kind: 'part'; readonly name: string; readonly part: number }
  | { readonly kind: 'page'; readonly url: string };

type PlaceContext = Pick<Context, 'caller' | 'services'>;

const PAGE = /^page:([\w-]{43}):(https?:\/\/.+)$/s;

/**
 * The id of a place. That of a page carries our mark for this user: a text that an assistant reads could otherwise make it fetch
 * an address that holds what it has read before.
 */
export async function connectorId(
  place: ConnectorPlace,
  { caller, services }: PlaceContext,
): Promise<string> {
  if (place.kind === 'entry') return entryUri(place.id);
  if (place.kind === 'part') return documentUri(place.name, place.part);
  return `page:${await (await services.passes()).markAddress(caller.id, place.url)}:${place.url}`;
}

/** Undefined for what is not an id of this user's. Whether there is still something at it is not read. */
export async function connectorPlace(
  id: string,
  { caller, services }: PlaceContext,
): Promise<ConnectorPlace | undefined> {
  const entry = entryIdOf(id);
  if (entry !== undefined) return { kind: 'entry', id: entry };
  const file = documentPlaceOf(id);
  if (file) return { kind: 'part', name: file.name, part: file.part ?? 1 };
  const [, mark, url] = PAGE.exec(id) ?? [];
  if (mark === undefined || url === undefined) return undefined;
  const ours = await (await services.passes()).isAddressMark(caller.id, url, mark);
  return ours ? { kind: 'page', url } : undefined;
}

/**
 * What a person opens to see it: the page itself, or a page of the console, which asks who they are. A pass is not part of it: a
 * citation is kept and shared with its conversation.
 */
export async function connectorUrl(
  place: ConnectorPlace,
  { source, page }: { readonly source?: string | undefined; readonly page?: number | undefined },
  { services }: Pick<Context, 'services'>,
): Promise<string> {
  if (place.kind === 'page') return place.url;
  const at = await services.appUrl();
  if (place.kind === 'part') {
    if (at === undefined) return documentUri(place.name, place.part);
    return `${at}/app/file?${new URLSearchParams({ name: place.name, page: String(page ?? 1) })}`;
  }
  if (source !== undefined && /^https?:\/\/\S+$/i.test(source)) return source;
  return at === undefined ? entryUri(place.id) : `${at}/app/notes/edit?id=${encodeURIComponent(place.id)}`;
}
