import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

/** Every link of a document to another file of the repository, or to a heading of one, leads there. */

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const documents = execFileSync('git', ['ls-files', '-z', '*.md', ':!packages', ':!test'], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .split('\0')
  .filter((path) => path !== '' && existsSync(join(ROOT, path)));
const textOf = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** Anchors of the headings, as GitHub makes them. */
function anchorsOf(path: string): ReadonlySet<string> {
  const headings = textOf(path).match(/^#{1,6} .*$/gm) ?? [];
  return new Set(
    headings.map((line) =>
      line
        .replace(/^#+ /, '')
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

test('every link between documents leads to an existing file and heading', () => {
  const dead = documents.flatMap((path) => {
    // Code shows links that are none.
    const prose = textOf(path)
      .replace(/^```[\s\S]*?^```/gm, '')
      .replace(/`[^`\n]*`/g, '');
    const links = [...prose.matchAll(/\]\((?!https?:|mailto:)([^)\s#]*)(?:#([^)\s]*))?\)/g)];
    return links.flatMap(([link, file = '', anchor]) => {
      const target = file === '' ? path : join(dirname(path), decodeURIComponent(file));
      if (!existsSync(join(ROOT, target))) return [`${path}: ${link}`];
      if (anchor === undefined || !target.endsWith('.md')) return [];
      return anchorsOf(target).has(anchor) ? [] : [`${path}: ${link}`];
    });
  });
  expect(documents).toContain('README.md');
  expect(dead).toEqual([]);
});

test('docs/README.md lists every page of docs/ once', () => {
  const pages = documents.flatMap((path) => /^docs\/([^/]+\.md)$/.exec(path)?.[1] ?? []);
  const listed = [...textOf('docs/README.md').matchAll(/\]\(([^/)#]+\.md)[^)]*\)/g)].map(([, page]) => page);
  expect(listed.sort()).toEqual(pages.filter((page) => page !== 'README.md').sort());
});

test('the section of a version in CHANGELOG.md has under 200 lines', () => {
  const [, unreleased = ''] = textOf('CHANGELOG.md').split(/^## \[/m);
  expect(unreleased.split('\n').length).toBeLessThan(200);
});
