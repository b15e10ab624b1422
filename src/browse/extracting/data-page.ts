import type { Page } from '../reading/page.ts';
import type { DataPage } from './structured.ts';

export function toDataPage({
  structured,
  markdown,
  language,
  url,
  title,
  canonical,
  ...page
}: Page): DataPage {
  const { author, published, description, site } = page;
  const facts = { title, author, published, description, site, language, url: canonical ?? url };
  const known = Object.entries(facts).filter(([, value]) => value !== undefined && value !== '');
  return { structured, markdown, language, facts: Object.fromEntries(known) };
}
