export { findTechnologies as handleJob } from './technologies.ts';
