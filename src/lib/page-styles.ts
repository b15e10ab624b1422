import { readFileSync } from 'node:fs';

const readText = (file: URL) => readFileSync(file, 'utf8');
const readShared = (name: string) => readText(new URL(`./styles/${name}.css`, import.meta.url));

export const CSS_TOKENS = readShared('tokens');
const [BASE, STANDALONE_PAGE] = ['base', 'standalone-page'].map(readShared);

/** Joins the styles that all pages share with the style sheet of one kind of page. */
export const readPageStyle = (own: URL): string => `${CSS_TOKENS}${BASE}${readText(own)}`;

/** Joins the styles that all pages outside the console share with the style sheet `own`. */
export function readStandalonePageStyle(own: URL): string {
  return `${CSS_TOKENS}${BASE}${STANDALONE_PAGE}${readText(own)}`;
}
