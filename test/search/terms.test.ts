import { expect, test } from 'vitest';
import { extractTerm } from '../../src/search/answers/engine-requests.ts';
import { extractPackageWords, guessPackageName } from '../../src/search/questions/package-words.ts';

test.each([
  ['what does "ubiquity" mean?', 'ubiquity'],
  ['define ubiquity', 'ubiquity'],
  ['What is a magpie?', 'magpie'],
  ['ubiquity definition', 'ubiquity'],
  ['was ist eine Elster', 'Elster'],
  ['magpie', 'magpie'],
  ['what is', 'what is'],
  ['..', '-'],
  ['', '-'],
])('the term of %j is %j', (question, term) => {
  expect(extractTerm(question, 100)).toBe(term);
});

test.each([
  ['best rust crate for parsing json', 'parsing json', 'parsing-json'],
  ['npm install left-pad', 'left-pad', 'left-pad'],
  ['pip install Scikit_Learn', 'Scikit_Learn', 'scikit-learn'],
  ['python package', 'python package', 'python-package'],
])('the package words and the package name of %j are %j', (question, words, name) => {
  expect(extractPackageWords(question)).toBe(words);
  expect(guessPackageName(question)).toBe(name);
});
