const memory = $getWorkflowStaticData('global');
memory.pages = memory.pages || {};
const { extract, when } = plan;
const singles = when.kind === 'any' || when.kind === 'all' ? when.of.flatMap((one) => one.of || [one]) : [when];
const wanted = singles.find((one) => one.kind === 'new') || {};
const currency = (singles.find((one) => one.currency) || {}).currency || '';
let sources = [];
try { sources = $('Fetch').all().map((one) => one.json.html); } catch (error) { sources = []; }

function factsOf(item, index) {
  const page = plan.pages[index];
  const found = item.json.found;
  const source = typeof sources[index] === 'string' ? sources[index] : '';
  if (page === undefined || item.json.error !== undefined) return undefined;
  if (found === undefined || found === null) { if (extract.kind !== 'items' || source === '') return undefined; }
  const lines = (Array.isArray(found) ? found : [found === undefined || found === null ? '' : found])
    .map((one) => String(one).replace(/\s+/g, ' ').trim())
    .filter((one) => one !== '');
  const whole = lines.join('\n').slice(0, 100000);
  const facts = { page, whole, text: whole, prices: [], items: undefined, stock: undefined };
  if (extract.kind === 'prices') {
    const own = extract.all ? undefined : ownPrice(source, plan.codes, extract.of, currency);
    const plain = source === '' ? whole : pageText(source).text;
    const all = moneyIn(plain, plan.codes).filter((one) => sameCurrency(one.currency, currency));
    const used = extract.all || source === '' ? all : own ? [own] : [];
    facts.prices = (extract.all || source !== '' ? used : all.slice(0, 1)).map((one) => one.value);
    facts.text = used.map((one) => one.text).join('\n');
  }
  if (singles.some((one) => one.kind === 'new') || extract.kind === 'items') {
    facts.items = extract.kind === 'links' || extract.kind === 'headings' || extract.kind === 'selector'
      ? lines.map((line) => ({ key: line, title: line, url: '', text: '' }))
      : itemsOf(source, page);
    if (extract.kind === 'items') facts.text = facts.items.map((one) => (one.title + ' ' + one.url).trim()).join('\n');
  }
  if (plan.stock) {
    const product = productsOf(source).find((one) => one.stock !== undefined);
    const low = (source === '' ? whole : pageText(source).text).toLowerCase();
    facts.stock = product ? product.stock
      : plan.nostock.some((phrase) => low.includes(phrase)) ? false
      : plan.stock.some((phrase) => low.includes(phrase)) ? true : undefined;
  }
  return facts;
}

function numbersOf(one, facts) {
  if (extract.kind === 'prices' && one.of === undefined) return facts.prices;
  if (one.of !== undefined) return numbersIn(facts.whole, one.of);
  const money = moneyIn(facts.whole, plan.codes);
  if (one.currency || money.length > 0) return money.filter((some) => sameCurrency(some.currency, one.currency || '')).map((some) => some.value);
  return numbersIn(facts.whole, undefined);
}

// Returns undefined if the level is unknown in this run. The state then stays.
function level(one, facts) {
  const low = facts.whole.toLowerCase();
  if (one.kind === 'word') return low.includes(one.word.toLowerCase());
  if (one.kind === 'gone') return !low.includes(one.word.toLowerCase());
  if (one.kind === 'stock') return facts.stock;
  if (one.kind === 'nostock') return facts.stock === undefined ? undefined : !facts.stock;
  if (one.kind === 'compare') {
    const first = facts.all[0], second = facts.all[1];
    if (!first || !second || first.prices.length === 0 || second.prices.length === 0) return undefined;
    const a = first.prices[0], b = second.prices[0];
    return one.is === 'below' ? a < b : one.is === 'above' ? a > b : a !== b;
  }
  const numbers = numbersOf(one, facts);
  if (numbers.length === 0) return undefined;
  return numbers.some((n) => one.kind === 'equal' ? n === one.value
    : one.kind === 'below' ? n < one.value || (one.inclusive && n === one.value)
    : n > one.value || (one.inclusive && n === one.value));
}

function judge(one, facts, state, key) {
  if (one.kind === 'any' || one.kind === 'all') {
    const parts = one.of.map((part, index) => judge(part, facts, state, key + '.' + index));
    const holds = one.kind === 'any' ? parts.some((part) => part.holds) : parts.every((part) => part.holds);
    const fires = one.kind === 'any' ? parts.some((part) => part.fires) : holds && parts.some((part) => part.fires);
    return { holds, fires };
  }
  if (one.kind === 'always') return { holds: true, fires: true };
  if (one.kind === 'change') {
    const now = hashOf(facts.text);
    const changed = state.text !== undefined && state.hash !== now && !(extract.kind === 'prices' && facts.text === '');
    return { holds: changed, fires: changed };
  }
  if (one.kind === 'new') return { holds: facts.fresh.length > 0, fires: facts.fresh.length > 0 };
  if (one.kind === 'drop' || one.kind === 'rise' || one.kind === 'move') {
    const numbers = numbersOf(one, facts);
    if (numbers.length === 0) return { holds: false, fires: false };
    const now = numbers[0];
    const base = state.base[key];
    if (base === undefined) { state.base[key] = now; return { holds: false, fires: false }; }
    const by = one.percent ? Math.abs(base) * one.value / 100 : one.value;
    const far = one.kind === 'drop' ? base - now : one.kind === 'rise' ? now - base : Math.abs(now - base);
    const moved = far > 0 && far >= by - 1e-9;
    // After a price went the other way, the next price is compared with this one.
    if (moved || (one.kind !== 'move' && far < 0)) state.base[key] = now;
    return { holds: moved, fires: moved };
  }
  const now = level(one, facts);
  if (now === undefined) return { holds: state.levels[key] === true, fires: false };
  const before = state.levels[key];
  state.levels[key] = now;
  return { holds: now, fires: now && before !== true };
}

const sent = [];
const all = $input.all().map(factsOf);
all.forEach((facts, index) => {
  if (facts === undefined) return;
  if (index > 0 && singles.some((one) => one.kind === 'compare')) return;
  const page = facts.page;
  const kept = memory.pages[page];
  const first = kept === undefined;
  const state = first ? { levels: {}, base: {} } : kept;
  facts.all = all;
  facts.fresh = [];
  if (facts.items && facts.items.length > 0) {
    const seen = new Set(state.seen || []);
    if (state.seen) facts.fresh = facts.items.filter((one) => !seen.has(hashOf(one.key)) && isWanted(one, wanted));
    const keys = facts.items.map((one) => hashOf(one.key));
    state.seen = [...new Set([...keys, ...(state.seen || [])])].slice(0, 3000);
  }
  const verdict = judge(when, facts, state, 'w');
  const before = state.text;
  if (!(extract.kind === 'prices' && facts.text === '' && before !== undefined)) {
    state.text = facts.text.slice(0, 20000);
    state.hash = hashOf(facts.text);
  }
  if (when.kind !== 'always') memory.pages[page] = state;
  if (!verdict.fires) return;
  const fresh = facts.fresh.map((one) => (one.title + ' ' + one.url).trim()).join('\n');
  const found = fresh !== '' ? fresh : facts.text;
  sent.push({
    json: {
      task: plan.task,
      page,
      at: new Date().toISOString(),
      found,
      ...(facts.fresh.length > 0 && { items: facts.fresh.map(({ title, url }) => ({ title, url })) }),
      ...(singles.some((one) => one.kind === 'change' || one.kind === 'drop' || one.kind === 'rise' || one.kind === 'move') && before !== undefined && { before }),
      text: plan.task + '\n' + page + '\n' + found,
    },
  });
});
return sent;
