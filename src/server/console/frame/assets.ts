import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readPageStyle } from '../../../lib/page-styles.ts';

/** A file that browsers may cache forever, because its name contains a hash of its content. */
function asset(base: string, ending: string, type: string, text: string) {
  const hash = createHash('sha256').update(text).digest('base64url').slice(0, 12);
  return { name: `${base}-${hash}.${ending}`, type: `${type}; charset=utf-8`, text };
}

const own = (name: string) => new URL(name, import.meta.url);
const script = (base: string, name: string) =>
  asset(base, 'js', 'text/javascript', readFileSync(own(name), 'utf8'));

export const STYLE_ASSET = asset('console', 'css', 'text/css', readPageStyle(own('./style.css')));
export const SCRIPT_ASSET = script('console', './script.js');
export const UPLOAD_ASSET = script('files', '../keep/upload.js');

export const ASSETS = [STYLE_ASSET, SCRIPT_ASSET, UPLOAD_ASSET];
