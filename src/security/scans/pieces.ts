import type { UnmaskedFinding } from '../findings/hide.ts';
import type { FileScanner, ScannedFile, ScanOptions } from './scanner.ts';

/** Maximum number of characters that a scanner reads at once. A longer text is split into overlapping sections. */
const PIECE_CHARACTERS = 2_000_000;
/** Characters that neighbouring sections share, so that one section contains all lines of a private key. */
const OVERLAP_CHARACTERS = 20_000;

interface FilePiece {
  readonly text: string;
  readonly linesBefore: number;
  /** First line that the next section reports. Findings of this section from that line on are ignored. */
  readonly nextLine: number;
}

function* piecesOf(text: string): Generator<FilePiece> {
  let [start, linesBefore] = [0, 0];
  while (text.length - start > PIECE_CHARACTERS) {
    const end = start + PIECE_CHARACTERS;
    const newline = text.indexOf('\n', end - OVERLAP_CHARACTERS);
    const isCut = newline < 0 || newline >= end;
    const next = isCut ? end - OVERLAP_CHARACTERS : newline + 1;
    let lines = linesBefore;
    for (let at = text.indexOf('\n', start); at >= 0 && at < next; at = text.indexOf('\n', at + 1)) lines++;
    // If a section ends within a line, findings in the line are taken from both sections.
    yield { text: text.slice(start, end), linesBefore, nextLine: lines + (isCut ? 2 : 1) };
    [start, linesBefore] = [next, lines];
  }
  yield { text: text.slice(start), linesBefore, nextLine: Number.POSITIVE_INFINITY };
}

export async function scanInPieces(
  scanner: FileScanner,
  { path, text }: ScannedFile,
  options: ScanOptions,
): Promise<readonly UnmaskedFinding[]> {
  if (text.length <= PIECE_CHARACTERS) return scanner.scan({ path, text }, options);
  const found = new Map<string, UnmaskedFinding>();
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
