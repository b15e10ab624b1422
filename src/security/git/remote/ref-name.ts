import { badRequestError } from '../../../errors.ts';

/** Maximum length of a branch or tag name in bytes. Git has no limit except that of the file system. */
const MAX_CHARACTERS = 250;
/** Matches what git's check-ref-format forbids: control characters, spaces and some special characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it finds control characters
const FORBIDDEN = /[\u0000- \u007f~^:?*[\\]|\.\.|@\{|\/\/|\/\.|\.lock(\/|$)/;
const COMMIT = /^([0-9a-f]{40}|[0-9a-f]{64})$/i;

/** Returns the git refs to try, first the branch, then the tag. Throws AppError `bad_request`. */
export function parseRefName(name: string, parameterName = 'branch'): readonly string[] {
  const problem =
    name === '' || name === '@'
      ? 'it names nothing'
      : Buffer.byteLength(name) > MAX_CHARACTERS
        ? `it is over ${MAX_CHARACTERS} bytes`
        : name.startsWith('-')
          ? 'it begins with a hyphen'
          : FORBIDDEN.test(name) || /^[./]|[./]$/.test(name)
            ? 'git has no such names'
            : undefined;
  if (problem) {
    const shown = JSON.stringify(name.length > 80 ? `${name.slice(0, 77)}...` : name);
    throw badRequestError(
      `${parameterName} is ${shown}, but ${problem}: it takes a branch, a tag, or a commit's full id`,
    );
  }
  if (COMMIT.test(name)) return [name.toLowerCase()];
  return name.startsWith('refs/') ? [name] : [`refs/heads/${name}`, `refs/tags/${name}`];
}
