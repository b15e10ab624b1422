import fc from 'fast-check';

const [FIRST_SURROGATE, SURROGATES, CODE_POINTS] = [0xd800, 0x800, 0x110000];

/**
 * Any character of Unicode, for `fc.string`. The unit `binary` gives the same ones, but makes a table of a million entries first,
 * which takes most of a second and 185 MB.
 */
export const anyCharacter = fc
  .integer({ min: 0, max: CODE_POINTS - SURROGATES - 1 })
  .map((at) => String.fromCodePoint(at < FIRST_SURROGATE ? at : at + SURROGATES));
