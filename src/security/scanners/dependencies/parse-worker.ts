export { parseLockfile as handleJob } from './parse.ts';
