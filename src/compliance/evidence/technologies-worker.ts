export { technologiesIn as answer } from './technologies.ts';
