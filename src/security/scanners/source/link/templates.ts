import type { ScannedFile } from '../../../scans/scanner.ts';
import { templateTypeOf } from '../templates/kinds.ts';
import { nearestPath } from './declarations.ts';

export interface Templates {
  /** Returns the path of the template `name` that the file `from` renders. `name` may lack the file extension. */
  find(name: string, from: string): string | undefined;
  readonly unescaped: boolean;
}

/** Matches the import of Sinatra. Templates of Sinatra do not escape output by default. */
const SINATRA = /^[ \t]{0,20}require[ \t(]{1,5}['"]sinatra(?:\/base)?['"]/m;
const SWITCHED_OFF = /\bautoescape['"]?\s{0,9}[:=]\s{0,9}(?:false|False)\b/;

export function templatesOf(files: readonly ScannedFile[]): Templates {
  const byName = new Map<string, string[]>();
  let unescaped = false;
  for (const { path, text } of files) {
    if (!templateTypeOf(path))
      unescaped ||= SWITCHED_OFF.test(text) || (SINATRA.test(text) && !text.includes('escape_html'));
    else {
      const name = plainName(path);
      byName.set(name, [...(byName.get(name) ?? []), path]);
    }
  }
  return {
    unescaped,
    find(name, from) {
      // In Laravel, template names have dots in place of slashes: `users.list` means `users/list`.
      const dotted = from.endsWith('.php') && !/\.(?:twig|php|html)$/.test(name);
      const asked = `/${(dotted ? name.replaceAll('.', '/') : name).replace(/^[./]+/, '')}`;
      const plain = plainName(asked);
      const all = byName.get(plain) ?? [];
      const folder = asked.slice(0, asked.lastIndexOf('/') + 1);
      return nearestPath(
        all.filter((path) => `/${path}`.includes(folder)),
        from,
      );
    },
  };
}

function plainName(path: string): string {
  const last = path.slice(path.lastIndexOf('/') + 1);
  const dot = last.indexOf('.');
  return dot > 0 ? last.slice(0, dot) : last;
}
