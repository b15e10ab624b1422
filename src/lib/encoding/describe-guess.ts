export function describeGuess(encoding: string): string {
  return `its encoding was guessed from its bytes (${encoding}), so some letters may be wrong`;
}
