import { readFileSync } from 'node:fs';
import { CSS_BASE, CSS_TOKENS } from '../../../lib/page-styles.ts';

const OWN = readFileSync(new URL('./style.css', import.meta.url), 'utf8');

export const CONSOLE_STYLE = `${CSS_TOKENS}${CSS_BASE}${OWN}`;
