export { parseLockfile as answer } from './parse.ts';
