import { readTask } from '../../src/automation/reading/read-task.ts';
import { readSentences, shortForm, verdictOf } from '../helpers/task-sentences.ts';

/** Prints how the sentences of a file are read: `node test/automation/measure.ts test/automation/sentences.txt`. */
const counts: Record<string, number> = {};
for (const sentence of readSentences(
  new URL(process.argv[2] ?? 'sentences.txt', `file://${process.cwd()}/`),
)) {
  let verdict = 'silent';
  let got = '';
  try {
    const reading = readTask(sentence.task);
    verdict = verdictOf(sentence, reading);
    got = `${shortForm(reading)} | ${reading.unreadWords.join(' / ')} ${reading.notes.join(';')} ${reading.unread.filter((x) => x.includes('read as')).join(';')}`;
  } catch (error) {
    got = String(error);
    verdict = /AppError/.test(got) ? 'noted' : 'silent';
  }
  counts[verdict] = (counts[verdict] ?? 0) + 1;
  if (verdict !== 'right') {
    process.stdout.write(
      `${verdict} ${sentence.language}: ${sentence.task}\n   want ${sentence.plan} | ${sentence.unread.join(' / ')}\n   got  ${got}\n`,
    );
  }
}
process.stdout.write(`${JSON.stringify(counts)}\n`);
