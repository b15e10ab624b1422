/** Searches files for technologies in a worker thread; see read-technologies.ts. */
export { technologiesIn as answer } from './technologies.ts';
