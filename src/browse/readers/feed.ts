import { AppError } from '../../errors.ts';
import { plainText } from '../summarize.ts';

const ENTRIES = 500;

/** An RSS or Atom feed as a list: title, link, date and summary of each entry. */
export async function readFeed(text: string, url: string): Promise<{ title: string; markdown: string }> {
  const { parseFeed } = await import('htmlparser2');
  const feed = parseFeed(text);
  if (!feed)
    throw new AppError('unsupported', `${url} says that it is a feed, and no feed can be read from it`);
  const entries = feed.items.slice(0, ENTRIES).map(({ title, link, pubDate, description }) => {
    const heading = `## ${plainText(withoutTags(title ?? link ?? 'Untitled'))}`;
    const address = link && URL.canParse(link, url) ? new URL(link, url).href : '';
    const date = pubDate ? pubDate.toISOString().slice(0, 10) : '';
    return [heading, [address, date].filter(Boolean).join(' · '), withoutTags(description ?? '')]
      .filter(Boolean)
      .join('\n\n');
  });
  const about = withoutTags(feed.description ?? '');
  return { title: feed.title ?? '', markdown: [about, ...entries].filter(Boolean).join('\n\n') };
}

function withoutTags(html: string): string {
  return html
    .replace(/<[^>]{0,10000}>/g, ' ')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&#0?39;|&apos;/g, "'")
    .replace(/&nbsp;/g, ' ')
    .replace(/&amp;/g, '&')
    .replace(/\s+/g, ' ')
    .trim();
}
