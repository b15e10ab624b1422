import { asObject, asTrimmedText, toListOrEmpty } from '../../importing/import-values.ts';
import type { FoundRecord } from '../linked-items.ts';
import { nameAndAddress, recordOf } from './record.ts';

const OF_OTHERS = 'a post of someone else, of which the archive has only the address';

/** Makes records of the posts in an archive of Mastodon, whose activities contain a post or only its address. */
export function* splitPosts(file: unknown): Generator<FoundRecord> {
  for (const activity of toListOrEmpty(asObject(file).orderedItems)) {
    const post = asObject(asObject(activity).object);
    if (Object.keys(post).length === 0) yield { skipped: OF_OTHERS, count: 1 };
    else {
      const { id, url, published, updated, content, name, summary, inReplyTo, attachment, tag, ...rest } =
        post;
      const tags = toListOrEmpty(tag).map(asObject);
      yield* recordOf(
        {
          ...{ id, url, published, updated, html: markup(content), title: name, summary, inReplyTo },
          tags: tags.flatMap((one) =>
            one.type === 'Hashtag' ? (asTrimmedText(one.name)?.slice(1) ?? []) : [],
          ),
          media: toListOrEmpty(attachment).map((one) => nameAndAddress(asObject(one))),
          choices: [...toListOrEmpty(rest.oneOf), ...toListOrEmpty(rest.anyOf)].map(
            (one) => asObject(one).name,
          ),
        },
        { ...rest, oneOf: undefined, anyOf: undefined },
      );
    }
  }
}

/** Makes records of the starred items of a feed reader, as Google Reader wrote them. */
export function* splitStarredItems(file: unknown): Generator<FoundRecord> {
  for (const one of Array.isArray(file) ? file : toListOrEmpty(asObject(file).items)) {
    const item = asObject(one);
    const { id, title, published, updated, author, content, summary, categories, tags, origin, ...rest } =
      item;
    const { canonical, alternate, canonicalUrl, annotations, enclosure, ...more } = rest;
    const [address] = [canonical, alternate].flatMap(toListOrEmpty);
    const { title: feed, htmlUrl, ...source } = asObject(origin);
    const names = toListOrEmpty(categories).map(String);
    const label = (name: string) => /^user\/[^/]{1,40}\/label\/(.{1,300})/.exec(name)?.[1];
    yield* recordOf(
      {
        ...{ id, title, published, author, feed, site: htmlUrl, updated: Number(updated) || undefined },
        url: asObject(address).href ?? canonicalUrl,
        html: markup([content, summary].map((part) => asObject(part).content ?? part).find(asTrimmedText)),
        tags: [
          ...names.flatMap((name) => label(name) ?? (/^user\//.test(name) ? [] : name)),
          ...toListOrEmpty(tags).flatMap((tag) => asTrimmedText(asObject(tag).label) ?? []),
        ],
        notes: annotations,
        media: toListOrEmpty(enclosure).map((file) => nameAndAddress(asObject(file))),
      },
      { ...more, ...source },
    );
  }
}

/** Wraps HTML in an element, because HTML may begin or end with words. */
function markup(html: unknown): string | undefined {
  return html === undefined || html === null ? undefined : `<div>${html}</div>`;
}
