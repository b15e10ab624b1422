import { readFileSync } from 'node:fs';

const read = (name: string) => readFileSync(new URL(`./styles/${name}.css`, import.meta.url), 'utf8');

/** CSS variables for the colours of Magpie's web pages. Text has a contrast of at least 4.5:1 in both colour schemes. */
export const CSS_TOKENS = read('tokens');
export const CSS_BASE = read('base');
export const CSS_STANDALONE_PAGE = read('standalone-page');
