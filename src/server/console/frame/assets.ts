import { createHash } from 'node:crypto';
import { REPORT_STYLE } from './report-style.ts';
import { CONSOLE_SCRIPT } from './script.ts';
import { CONSOLE_STYLE } from './style.ts';

/** A file that browsers may cache forever, because its name contains a hash of its content. */
export interface StaticAsset {
  readonly name: string;
  readonly type: string;
  readonly text: string;
}

function asset(base: string, ending: string, type: string, text: string): StaticAsset {
  const hash = createHash('sha256').update(text).digest('base64url').slice(0, 12);
  return { name: `${base}-${hash}.${ending}`, type: `${type}; charset=utf-8`, text };
}

export const STYLE_ASSET = asset('console', 'css', 'text/css', `${CONSOLE_STYLE}${REPORT_STYLE}`);
export const SCRIPT_ASSET = asset('console', 'js', 'text/javascript', CONSOLE_SCRIPT);
