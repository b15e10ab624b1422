import type { FileFinding } from '../findings/hide.ts';
import type { FileScanner, ScannedFile, ScanOptions } from './scanner.ts';

/** Characters that a scanner is given at once; a longer text is cut. */
const PIECE_CHARACTERS = 2_000_000;
/** Characters before the end of a piece with which the next one begins: a key of many lines is whole in one of them. */
const OVERLAP_CHARACTERS = 20_000;

/** A part of a text. */
interface Piece {
  readonly text: string;
  /** Lines that come before it. */
  readonly linesBefore: number;
  /** Lines of the whole text from this one on are the next piece's, which has all of what begins there. */
  readonly nextLine: number;
}

/** Parts of a text that begin with a line where one begins in the overlap; the text itself where it is short. */
function* piecesOf(text: string): Generator<Piece> {
  let [start, linesBefore] = [0, 0];
  while (text.length - start > PIECE_CHARACTERS) {
    const end = start + PIECE_CHARACTERS;
    const newline = text.indexOf('\n', end - OVERLAP_CHARACTERS);
    const isCut = newline < 0 || newline >= end;
    const next = isCut ? end - OVERLAP_CHARACTERS : newline + 1;
    let lines = linesBefore;
    for (let at = text.indexOf('\n', start); at >= 0 && at < next; at = text.indexOf('\n', at + 1)) lines++;
    // Of a line that is cut, what is in this piece counts too.
    yield { text: text.slice(start, end), linesBefore, nextLine: lines + (isCut ? 2 : 1) };
    [start, linesBefore] = [next, lines];
  }
  yield { text: text.slice(start), linesBefore, nextLine: Number.POSITIVE_INFINITY };
}

/** What a scanner finds in a text of any length: what two pieces have in common counts once. */
export async function scanPieces(
  scanner: FileScanner,
  { path, text }: ScannedFile,
  options: ScanOptions,
): Promise<readonly FileFinding[]> {
  if (text.length <= PIECE_CHARACTERS) return scanner.scan({ path, text }, options);
  const found = new Map<string, FileFinding>();
  for (const piece of piecesOf(text)) {
    for (const one of await scanner.scan({ path, text: piece.text }, options)) {
      const line = one.line === undefined ? undefined : one.line + piece.linesBefore;
      if (line !== undefined && line >= piece.nextLine) continue;
      const endLine = one.endLine === undefined ? undefined : one.endLine + piece.linesBefore;
      const key = `${one.id} ${line} ${one.identity}`;
      if (!found.has(key)) found.set(key, { ...one, line, endLine });
    }
  }
  return [...found.values()];
}
