export { findTechnologies as answer } from './technologies.ts';
