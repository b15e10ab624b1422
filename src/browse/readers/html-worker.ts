import type { HtmlPage } from '../html-reader.ts';
import { readHtml } from './html.ts';

/** Takes one page at a time off the event loop; see html-reader.ts. */
export function answer({
  html,
  url,
}: {
  readonly html: string;
  readonly url: string;
}): { readonly page: HtmlPage } | { readonly error: string } {
  try {
    return { page: readHtml(html, url) };
  } catch (error) {
    return { error: String(error) };
  }
}
