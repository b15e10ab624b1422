import { Parser } from 'htmlparser2';
import type { ProbedPage } from '../../probing/page-probe.ts';

export interface PageScript {
  readonly src: string | undefined;
  readonly integrity: boolean;
}

const HTML = new Set(['text/html', 'application/xhtml+xml']);
const MAX_ELEMENTS = 2000;

const known = new WeakMap<ProbedPage, ReturnType<typeof read>>();

export function parsePageDocument(page: ProbedPage) {
  const before = known.get(page);
  if (before) return before;
  const made = read(page);
  known.set(page, made);
  return made;
}

function read(page: ProbedPage) {
  const type = (page.header('content-type')[0] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  const scripts: PageScript[] = [];
  const metas = new Map<string, string[]>();
  if (HTML.has(type)) {
    const parser = new Parser({
      onopentag(name, attributes) {
        const { src, integrity, content = '' } = attributes;
        const equivalent = attributes['http-equiv']?.trim().toLowerCase();
        if (name === 'script' && scripts.length < MAX_ELEMENTS) {
          scripts.push({ src: src?.trim() || undefined, integrity: Boolean(integrity) });
        } else if (name === 'meta' && equivalent && metas.size < MAX_ELEMENTS) {
          metas.set(equivalent, [...(metas.get(equivalent) ?? []), content].slice(0, 20));
        }
      },
    });
    parser.end(page.body);
  }
  return { html: HTML.has(type), scripts, equivalent: (name: string) => metas.get(name) ?? [] };
}
