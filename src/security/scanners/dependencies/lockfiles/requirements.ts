import { formatCount } from '../../../../lib/text/format-count.ts';
import type { LockfileParseFunction } from '../lockfile-reader.ts';
import { colonHashes } from './hashes.ts';
import { pythonName } from './python-name.ts';

const PINNED = /^([A-Za-z0-9][\w.-]{0,200})\s*(?:\[[^\]]{0,300}\]\s*)?={2,3}\s*([^\s;,#]+)\s*(,?)/;
const DEVELOPMENT = /(?:^|[-_./])(?:dev|develop|development|test|tests|testing|lint|docs|ci)(?:[-_./]|$)/i;

export function isRequirementsFile(path: string): boolean {
  const [name = '', folder = ''] = path.split('/').reverse();
  return /^[\w.-]+\.txt$/i.test(name) && (/requirements/i.test(name) || /^requirements$/i.test(folder));
}

/** Reads `requirements.txt` and similar files. Only packages with an exact version, `a==1.0`, can be checked. */
export const requirements: LockfileParseFunction = (text, collector, { path }) => {
  const development = DEVELOPMENT.test(path.slice(path.lastIndexOf('/', path.search(/requirements/i)) + 1));
  let loose = 0;
  for (const { line, content } of logicalLines(text)) {
    const [, included] = /^(?:-r|--requirement)[\s=]+(\S+)/.exec(content) ?? [];
    if (included !== undefined) collector.addInclude(included);
    if (content.startsWith('-') || content === '') continue;
    const [, name, version, more] = PINNED.exec(content) ?? [];
    if (name === undefined || version === undefined || version.endsWith('*') || more === ',') {
      loose++;
      continue;
    }
    const hashes = colonHashes(
      [...content.matchAll(/--hash[=\s](\w+:[0-9a-f]+)/g)].map(([, one = '']) => one),
    );
    collector.addPackage({
      name: pythonName(name),
      version,
      line,
      development: development || undefined,
      hashes: hashes,
    });
  }
  if (loose > 0)
    collector.addNote(
      `${formatCount(loose, 'requirement')} without one pinned version, not compared with advisories`,
    );
};

function* logicalLines(text: string): Generator<{ line: number; content: string }> {
  let parts: string[] = [];
  let first = 1;
  let line = 0;
  for (const raw of text.split('\n')) {
    line++;
    if (parts.length === 0) first = line;
    const whole = raw.trimEnd();
    if (whole.endsWith('\\')) {
      parts.push(whole.slice(0, -1));
      continue;
    }
    parts.push(whole);
    const joined = parts.join(' ').trimStart();
    parts = [];
    const comment = joined.startsWith('#') ? 0 : joined.indexOf(' #');
    yield { line: first, content: (comment < 0 ? joined : joined.slice(0, comment)).trim() };
  }
}
