export { extractContainerImage as handleJob } from './extract-image.ts';
