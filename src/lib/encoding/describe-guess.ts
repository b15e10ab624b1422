/** Says that an encoding was guessed, for the answer beside the text. */
export function describeGuess(encoding: string): string {
  return `its encoding was guessed from its bytes (${encoding}), so some letters may be wrong`;
}
