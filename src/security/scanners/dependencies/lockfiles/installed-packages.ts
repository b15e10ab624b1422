import type { LockfileParseFunction } from '../lockfile-reader.ts';
import { parseJson, textIn } from './json-tree.ts';
import { pythonName } from './python-name.ts';

const HEADER_LINES = 200;
const GEM = /([\w.-]{1,200}?)-(\d[\w.]{0,100})(?:-[\w-]{1,100})?\.gemspec$/;

export const nodeInstalled: LockfileParseFunction = (text, collector) => {
  const { root } = parseJson(text);
  const [name = '', version = ''] = [textIn(root, 'name'), textIn(root, 'version')];
  if (name !== '' && version !== '') collector.addPackage({ name, version, line: 1 });
};

export const pythonInstalled: LockfileParseFunction = (text, collector) => {
  const lines = text.split('\n', HEADER_LINES);
  const headerOf = (name: string) =>
    lines
      .find((line) => line.startsWith(`${name}: `))
      ?.slice(name.length + 2)
      .trim() ?? '';
  collector.addPackage({ name: pythonName(headerOf('Name')), version: headerOf('Version'), line: 1 });
};

/** Reads name and version of an installed gem from the file name, because the content is a Ruby program. */
export const gemInstalled: LockfileParseFunction = (_, collector, { path }) => {
  const [, name = '', version = ''] = GEM.exec(path.slice(path.lastIndexOf('/') + 1)) ?? [];
  collector.addPackage({ name, version, line: 1 });
};
