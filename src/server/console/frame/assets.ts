import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readPageStyle } from '../../../lib/page-styles.ts';
import { UPLOAD_PAGE_SCRIPT } from '../../app/page-script.ts';

/** A file that browsers may cache forever, because its name contains a hash of its content. */
function asset(base: string, ending: string, type: string, text: string) {
  const hash = createHash('sha256').update(text).digest('base64url').slice(0, 12);
  return { name: `${base}-${hash}.${ending}`, type: `${type}; charset=utf-8`, text };
}

const own = (name: string) => new URL(`./${name}`, import.meta.url);

export const STYLE_ASSET = asset('console', 'css', 'text/css', readPageStyle(own('style.css')));
export const SCRIPT_ASSET = asset('console', 'js', 'text/javascript', readFileSync(own('script.js'), 'utf8'));
export const UPLOAD_ASSET = asset('files', 'js', 'text/javascript', UPLOAD_PAGE_SCRIPT);

export const ASSETS = [STYLE_ASSET, SCRIPT_ASSET, UPLOAD_ASSET];
