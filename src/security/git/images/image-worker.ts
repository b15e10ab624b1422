export { extractImage as answer } from './extract-image.ts';
