import { expect, test, vi } from 'vitest';
import { run } from '../../bench/fusion.ts';

test('the merged list is judged with weights of each belief on each simulated web', async () => {
  let shown = '';
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    shown += String(text);
    return true;
  });
  await run(['--seeds', '4']).finally(() => write.mockRestore());
  const scores = shown
    .trim()
    .split('\n')
    .slice(2)
    .map((line) => Number(line.split('|')[4]));
  expect(scores).toHaveLength(9);
  expect(scores.every((score) => score > 0.2 && score < 1)).toBe(true);
});
