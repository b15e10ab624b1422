/** Searches files for technologies off the event loop; see read-technologies.ts. */
export { technologiesIn as answer } from './technologies.ts';
