import { readFileSync } from 'node:fs';
import { CSS_TOKENS } from '../../lib/page-styles.ts';
import { CONTROL_STATUSES, type ControlStatus } from '../assessing/assessment.ts';
import colours from './colours.json' with { type: 'json' };

/** Colours of status names, with a contrast of at least 4.5 to 1 on white and on black. */
export const STATUS_TEXT_COLOURS: Readonly<
  Record<'onWhite' | 'onBlack', Readonly<Record<ControlStatus, string>>>
> = colours.statusText;

const words = (colour: Readonly<Record<ControlStatus, string>>) =>
  CONTROL_STATUSES.map((status) => `.${status} { color: ${colour[status]}; }`).join('\n');

const STYLE = readFileSync(new URL('./style.css', import.meta.url), 'utf8');

export const REPORT_CSS = `\n${CSS_TOKENS}\n${STYLE}`
  .replace('/* status on white */', words(STATUS_TEXT_COLOURS.onWhite))
  .replace('/* status on black */', words(STATUS_TEXT_COLOURS.onBlack));
