export { findTokensAtPlaces as answer } from './verify-tokens.ts';
