export { findTokensAtPlaces as handleJob } from './verify-tokens.ts';
