import type { Plan } from '../plan.ts';

/**
 * The program of the node that compares a run with the one before, as n8n's Code node takes it. It gets the
 * extracted items, and returns those that are to be sent. What a page had last is in the workflow's
 * static data, which n8n keeps between runs that its trigger started; a page that could not be fetched keeps what
 * it had. `plan` is in it as JSON, which is JavaScript too.
 */
export function comparison(plan: Plan): string {
  const facts = JSON.stringify({
    task: plan.task,
    pages: plan.pages,
    extract: plan.extract.kind,
    when: plan.when,
  });
  return `const plan = ${facts};
${PROGRAM}`;
}

const PROGRAM = String.raw`
const memory = $getWorkflowStaticData('global');
memory.pages = memory.pages || {};

function numberOf(text) {
  const digits = text.replace(/[\s’']/g, '').replace(/[.,]+$/, '');
  const last = Math.max(digits.lastIndexOf('.'), digits.lastIndexOf(','));
  if (last < 0) return Number(digits);
  const mark = digits[last];
  const other = mark === '.' ? ',' : '.';
  const thousands = !digits.includes(other) && (digits.indexOf(mark) !== last || /^\d{1,3}.\d{3}$/.test(digits));
  if (thousands) return Number(digits.replace(/[.,]/g, ''));
  return Number(digits.slice(0, last).replace(/[.,]/g, '') + '.' + digits.slice(last + 1));
}

const PRICE = /(?:[$€£¥₹₽₩]|\b(?:USD|EUR|GBP|CHF|JPY)\b)\s?\d[\d.,’']{0,15}|\d[\d.,’']{0,15}\s?(?:[$€£¥₹₽₩]|\b(?:USD|EUR|GBP|CHF|JPY)\b)/g;

function pricesIn(text) {
  return (text.match(PRICE) || []).slice(0, 200).map((one) => one.replace(/[.,’']+$/, ''));
}

function holds(text, prices) {
  const { kind, word, value } = plan.when;
  if (kind === 'word') return text.toLowerCase().includes(word.toLowerCase());
  if (kind === 'gone') return !text.toLowerCase().includes(word.toLowerCase());
  const source = prices.length > 0 ? prices : text.match(/\d[\d.,’']{0,15}/g) || [];
  const numbers = source.map((one) => numberOf(one.replace(/[^\d.,’']/g, ''))).filter(Number.isFinite);
  return kind === 'below' ? numbers.some((one) => one < value) : numbers.some((one) => one > value);
}

const sent = [];
$input.all().forEach((item, index) => {
  const page = plan.pages[index];
  const found = item.json.found;
  if (page === undefined || item.json.error !== undefined || found === undefined || found === null) return;
  const lines = (Array.isArray(found) ? found : [found])
    .map((one) => String(one).replace(/\s+/g, ' ').trim())
    .filter((one) => one !== '');
  const whole = lines.join('\n').slice(0, 100000);
  const prices = pricesIn(whole);
  const text = plan.extract === 'prices' ? prices.join('\n') : whole;
  const before = memory.pages[page];
  let send = plan.when.kind === 'always';
  let state = text;
  if (plan.when.kind === 'change') send = before !== undefined && before !== text;
  else if (!send) {
    state = holds(whole, prices) ? 'yes' : 'no';
    send = state === 'yes' && before !== 'yes';
  }
  if (plan.when.kind !== 'always') memory.pages[page] = state;
  if (!send) return;
  sent.push({
    json: {
      task: plan.task,
      page,
      at: new Date().toISOString(),
      found: text,
      ...(plan.when.kind === 'change' && { before }),
      text: plan.task + '\n' + page + '\n' + text,
    },
  });
});
return sent;
`;
