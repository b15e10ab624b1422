import { expect, test } from 'vitest';
import {
  countUnscannedFiles,
  describeUnscannedLanguages,
  UNSCANNED_EXTENSIONS,
} from '../../src/lib/unscanned-languages.ts';
import { createSourceScanner } from '../../src/security/scanners/source.ts';

/** Languages that nothing passes beside, since no scanner reads them. */

test('a language that the scanner supports is not in the list of unscanned languages', () => {
  const scanner = createSourceScanner();
  expect(UNSCANNED_EXTENSIONS.filter((ending) => scanner.wants(`src/a.${ending}`))).toEqual([]);
  expect(scanner.wants('src/a.py')).toBe(true);
});

test('files without rules are counted by language and kind of configuration', () => {
  const paths = ['a.rs', 'b/c.rs', 'deploy.sh', 'main.bicep', '.circleci/config.yml', 'a.py'];
  expect(countUnscannedFiles(paths)).toEqual([
    { name: 'Bicep', kind: 'configuration', files: 1 },
    { name: 'CircleCI', kind: 'configuration', files: 1 },
    { name: 'Rust', kind: 'language', files: 2 },
    { name: 'Shell', kind: 'script', files: 1 },
  ]);
  expect(
    countUnscannedFiles([
      'a.ipynb',
      'b.jl',
      'c.R',
      'env/terragrunt.hcl',
      '.terraform.lock.hcl',
      '.travis.yml',
    ]),
  ).toEqual([
    { name: 'Julia', kind: 'language', files: 1 },
    { name: 'Jupyter', kind: 'language', files: 1 },
    { name: 'R', kind: 'language', files: 1 },
    { name: 'Terragrunt', kind: 'configuration', files: 1 },
    { name: 'Travis CI', kind: 'configuration', files: 1 },
  ]);
  expect(
    countUnscannedFiles([
      'force-app/main/default/classes/Shop.cls',
      'thesis.cls',
      'db/1.sql',
      'run.bat',
      'Makefile',
      'bin/deploy',
      'bin/deploy.py',
      'page.xsl',
    ]),
  ).toEqual([
    { name: 'Apex', kind: 'language', files: 1 },
    { name: 'Batch', kind: 'script', files: 1 },
    { name: 'Make', kind: 'script', files: 1 },
    { name: 'SQL', kind: 'script', files: 1 },
    { name: 'XSLT', kind: 'language', files: 1 },
    { name: 'scripts without an ending', kind: 'script', files: 1 },
  ]);
  expect(countUnscannedFiles(['chart/templates/_helpers.tpl', 'page.tpl'])).toEqual([
    { name: 'Smarty', kind: 'language', files: 1 },
  ]);
  expect(countUnscannedFiles(['app.js', 'values.yaml', 'README.md', 'Dockerfile', 'template.html'])).toEqual(
    [],
  );
});

test('each language is listed once, with its file extensions', () => {
  const paths = [
    'src/Main.kt',
    'b.KT',
    'lib.rs',
    'a.js',
    'README.md',
    'Makefile',
    'sh',
    'c/.gitignore',
    'h.h/x',
  ];
  expect(describeUnscannedLanguages(paths)).toEqual(['Kotlin is not read', 'Rust is not read']);
  expect(describeUnscannedLanguages(['a.js', 'page.html', 'build.gradle.kts'])).toEqual([]);
});
