import { expect, test } from 'vitest';
import { countConcurrentPages, planReaders } from '../../../src/browse/reading/reader-plan.ts';

test.each([
  { processors: 1, gigabytes: 1, readers: 4, texts: 2, megabytes: 220 },
  { processors: 2, gigabytes: 24, readers: 4, texts: 2, megabytes: 1000 },
  { processors: 4, gigabytes: 4, readers: 5, texts: 3, megabytes: 480 },
  { processors: 8, gigabytes: 4, readers: 6, texts: 4, megabytes: 400 },
  { processors: 8, gigabytes: 16, readers: 9, texts: 7, megabytes: 1000 },
  { processors: 64, gigabytes: 256, readers: 9, texts: 7, megabytes: 1000 },
])(
  'a machine with $processors cores and $gigabytes GB has $readers readers',
  ({ processors, gigabytes, ...share }) => {
    const { megabytes, ...counts } = share;
    const machine = { processors, memoryBytes: gigabytes * 1e9 };
    expect(planReaders(undefined, machine)).toEqual({ ...counts, memoryBytes: megabytes * 1e6 });
  },
);

test('a larger memory setting for each reader lowers the number of readers', () => {
  const machine = { processors: 8, memoryBytes: 10e9 };
  expect(planReaders(1e9, machine)).toEqual({ readers: 6, texts: 4, memoryBytes: 1e9 });
  expect(planReaders(5e9, machine)).toEqual({ readers: 4, texts: 2, memoryBytes: 5e9 });
});

test.each([
  { pageBytes: 10e6, gigabytes: 24, readers: 4, all: 16, perOwner: 12 },
  { pageBytes: 10e6, gigabytes: 1, readers: 4, all: 10, perOwner: 7 },
  { pageBytes: 200e6, gigabytes: 1, readers: 4, all: 4, perOwner: 3 },
  { pageBytes: 10e6, gigabytes: 64, readers: 9, all: 36, perOwner: 27 },
])(
  '$readers readers with $gigabytes GB and pages of $pageBytes bytes give $all places',
  ({ pageBytes, gigabytes, readers, ...share }) => {
    const machine = { processors: 2, memoryBytes: gigabytes * 1e9 };
    expect(countConcurrentPages(readers, pageBytes, machine)).toEqual(share);
  },
);
