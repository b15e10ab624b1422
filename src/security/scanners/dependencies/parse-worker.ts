/** Entry point of the worker that parses lockfiles. */
export { parseLockfile as answer } from './parse.ts';
