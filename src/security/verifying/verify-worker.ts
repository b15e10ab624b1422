/** Reads tokens from a file in a worker thread; see verify.ts. */
export { tokensAt as answer } from './verify-tokens.ts';
