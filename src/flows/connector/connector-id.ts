import { documentPlaceOf, documentUri, entryIdOf, entryUri } from '../../lib/resource-uri.ts';
import type { OperationContext } from '../../operation.ts';

/** The text that an id names. Ids stay valid between conversations. */
export type ConnectorPlace =
  | { readonly kind: 'entry'; readonly id: string }
  | { readonly kind: 'part'; readonly name: string; readonly part: number }
  | { readonly kind: 'page'; readonly url: string };

type PlaceContext = Pick<OperationContext, 'caller' | 'services'>;
const PAGE = /^page:([\w-]{43}):(https?:\/\/.+)$/s;

/** Returns an id. Ids of web pages are signed, so injected prompts cannot leak text in made-up URLs. */
export async function connectorId(
  place: ConnectorPlace,
  { caller, services }: PlaceContext,
): Promise<string> {
  if (place.kind === 'entry') return entryUri(place.id);
  if (place.kind === 'part') return documentUri(place.name, place.part);
  return `page:${await (await services.passes()).markAddress(caller.id, place.url)}:${place.url}`;
}

export async function parseConnectorId(
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

/** Returns a URL to show to people: the web page, or a page of the console, which requires a login. */
export async function connectorUrl(
  place: ConnectorPlace,
  { source, page }: { readonly source?: string | undefined; readonly page?: number | undefined },
  { services }: Pick<OperationContext, 'services'>,
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
