export { extractImage as handleJob } from './extract-image.ts';
