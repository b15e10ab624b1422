import type { PageScript } from './document.ts';

export type ScriptVerdict = 'none' | 'own' | 'pinned' | 'unpinned' | 'pinned-insecure' | 'insecure';

const ORDER: readonly ScriptVerdict[] = ['pinned', 'pinned-insecure', 'unpinned', 'insecure'];

export function judgeScripts(scripts: readonly PageScript[], page: URL): ScriptVerdict {
  if (scripts.length === 0) return 'none';
  let verdict: ScriptVerdict = 'own';
  for (const { src, integrity } of scripts) {
    if (src === undefined) continue;
    const place = classifyAddress(src, page);
    if (place === 'own') {
      if (integrity && page.protocol === 'https:' && verdict === 'own') verdict = 'pinned';
      continue;
    }
    const said = verdictOf(place === 'secure', integrity);
    if (verdict === 'own' || ORDER.indexOf(said) > ORDER.indexOf(verdict)) verdict = said;
  }
  return verdict;
}

function verdictOf(secure: boolean, integrity: boolean): ScriptVerdict {
  if (integrity) return secure ? 'pinned' : 'pinned-insecure';
  return secure ? 'unpinned' : 'insecure';
}

/** Classifies a script's address. As in the HTTP Observatory, `//host/...` counts as insecure. */
function classifyAddress(src: string, page: URL): 'own' | 'secure' | 'insecure' {
  if (/^[\\/]{2}/.test(src)) return 'insecure';
  if (!/^https?:\/\//i.test(src) || !URL.canParse(src)) return 'own';
  const { protocol, hostname } = new URL(src);
  if (siteOf(hostname) === siteOf(page.hostname)) return 'own';
  return protocol === 'https:' ? 'secure' : 'insecure';
}

/** Returns the last two labels of a host name (too coarse for `co.uk`), or an IP address unchanged. */
function siteOf(host: string): string {
  return /^[\d.]+$|:/.test(host) ? host : host.split('.').slice(-2).join('.');
}
