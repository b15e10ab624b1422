export { tokensAt as answer } from './verify-tokens.ts';
