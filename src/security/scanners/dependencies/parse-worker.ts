/** Reads lockfiles off the event loop; see parse-desk.ts. */
export { parseLockfile as answer } from './parse.ts';
