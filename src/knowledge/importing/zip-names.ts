import { attempt } from '../../lib/attempt.ts';
import { decodeBytes } from '../../lib/encoding/decode-bytes.ts';

/** Letters 0x80 to 0xff of code page 437, which is the encoding of names in ZIP archives by default. */
const CODE_PAGE_437 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0';
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Returns a decoder for names that are not marked as UTF-8. Such a name is in UTF-8 or in the encoding of the
 * machine that wrote the archive. That encoding is guessed from all names together. Decoding never throws.
 */
export function createZipNameDecoder(names: readonly Uint8Array[]): (name: Uint8Array) => string {
  const others = names.filter((name) => utf8Of(name) === undefined);
  const guess = decodeBytes(Buffer.concat(others.flatMap((name) => [name, Buffer.from('\n')])), {});
  const guessed = guess.text.split('\n');
  const told = new Map(others.map((name, at) => [keyOf(name), guessed[at] ?? '']));
  const dos = others.map(dosOf).join('\n');
  const isGuess =
    guessed.length === others.length + 1 &&
    !guess.text.includes('\ufffd') &&
    (isOfAnotherScript(guess.text) || (!isLetters(dos) && isLetters(guess.text)));
  return (name) => {
    const byGuess = isGuess ? told.get(keyOf(name)) : undefined;
    return utf8Of(name) ?? (byGuess === undefined || isInWord(byGuess) ? dosOf(name) : byGuess);
  };
}

const keyOf = (name: Uint8Array): string => Buffer.from(name).toString('latin1');

const utf8Of = (name: Uint8Array): string | undefined => attempt(() => UTF8.decode(name));

function dosOf(name: Uint8Array): string {
  return Array.from(name, (byte) =>
    byte < 128 ? String.fromCharCode(byte) : CODE_PAGE_437[byte - 128],
  ).join('');
}

/** Returns true if most non-Latin letters are adjacent. A single letter (`MЃnchen`) is a decoding error. */
function isOfAnotherScript(text: string): boolean {
  const runs = text.match(/(?:(?!\p{Script=Latin})[^\p{ASCII}])+/gu) ?? [];
  const together = runs.filter((run) => [...run].length > 1 && /^\p{L}+/u.test(run)).join('').length;
  return together > 0 && together * 2 > runs.join('').length;
}

const isInWord = (text: string): boolean => /(?<!\P{ASCII})(?!\p{Script=Latin})\P{ASCII}[a-z]{2}/u.test(text);

function isLetters(text: string): boolean {
  return /^[\p{ASCII}\p{L}\p{M}\p{N}]*$/u.test(text.replace(/[«»·°º]/gu, ''));
}
