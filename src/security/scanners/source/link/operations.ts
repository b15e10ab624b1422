import type { ScannedFile } from '../../../scans/scanner.ts';
import type { FlowStep } from '../flow/values/value.ts';
import type { FileLookup } from './files.ts';

export const OPENAPI_PATH = /(?:openapi|swagger|api|spec)[^/]{0,100}\.(?:ya?ml|json)$/i;
const MAX_OPERATIONS = 2000;
const OPERATION = /\boperationId['"]?[ \t]{0,9}:[ \t]{0,9}['"]?([\w.]{1,200})/g;
const CONTROLLER =
  /\bx-(?:openapi|swagger)-(?:router-)?controller['"]?[ \t]{0,9}:[ \t]{0,9}['"]?([\w.]{1,200})/g;

/** Finds Python functions that OpenAPI documents name as `operationId`. A key is `api/users.py get_user`. */
export function findApiFunctions(files: readonly ScannedFile[], tree: FileLookup): Map<string, FlowStep> {
  const out = new Map<string, FlowStep>();
  for (const { path, text } of files) {
    if (!OPENAPI_PATH.test(path)) continue;
    const controllers = new Set(Array.from(text.matchAll(CONTROLLER), ([, name = '']) => `${name}.`));
    let [line, at] = [1, 0];
    for (const { 1: id = '', index } of text.matchAll(OPERATION)) {
      for (; at < index; at++) if (text.charCodeAt(at) === 10) line++;
      for (const prefix of ['', ...controllers]) {
        const target = functionNamed(prefix + id, tree);
        if (target !== undefined && out.size < MAX_OPERATIONS)
          out.set(target, { path, line, note: `the operation ${id}`, length: 1 });
      }
    }
  }
  return out;
}

function functionNamed(name: string, tree: FileLookup): string | undefined {
  const parts = name.split('.');
  const fn = parts.pop();
  const file = parts.pop();
  if (file === undefined) return undefined;
  const folder = parts.length === 0 ? '' : tree.folderEnding(parts.join('/'));
  const base = folder === undefined ? undefined : folder === '' ? file : `${folder}/${file}`;
  const path = base === undefined ? undefined : tree.first([`${base}.py`, `${base}/__init__.py`]);
  return path === undefined ? undefined : `${path} ${fn}`;
}
