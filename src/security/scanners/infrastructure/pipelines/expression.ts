/** Expression of GitHub Actions, as in `${{ github.sha }}`. */
export interface WorkflowExpression {
  readonly kind: 'text' | 'value' | 'context' | 'property' | 'call' | 'operation';
  /** Text, name or operator in lower case: `github.event`. `*` stands for any item, `[]` for a computed name. */
  readonly name: string;
  readonly parts: readonly WorkflowExpression[];
}

export interface FencedExpression {
  readonly start: number;
  readonly end: number;
  readonly index: number;
  readonly source: string;
  readonly expression: WorkflowExpression | undefined;
}

/** Limits of an expression. GitHub has the same limit of characters. */
const [MAX_CHARACTERS, MAX_TOKENS] = [21_000, 300];
const FENCED = /^\$\{\{((?:'[^']*'|[^'}]|\}(?!\}))*)\}\}/;

export function findFencedExpressions(text: string): FencedExpression[] {
  const fences: FencedExpression[] = [];
  for (let start = text.indexOf('${{'); start >= 0; start = text.indexOf('${{', start + 3)) {
    const found = FENCED.exec(text.slice(start, start + MAX_CHARACTERS));
    if (!found) break;
    const [{ length }, source = ''] = found;
    fences.push({
      start,
      end: start + length,
      index: fences.length,
      source,
      expression: parseExpression(source),
    });
    start += length - 3;
  }
  return fences;
}

const TOKEN = /\s*(?:'(?:[^']|'')*'|[+-]?\.?\d[\w.]*|[a-z_][\w-]*|&&|\|\||[=!<>]=|[!<>().,[\]*])|\s*$/iy;
const OPERATORS = [['||'], ['&&'], ['==', '!='], ['<', '<=', '>', '>=']];
/** Precedence of operators. An operator with a higher number is applied first. */
const STRENGTH = new Map(
  OPERATORS.flatMap((same, at) => same.map((operator) => [operator, at + 1] as const)),
);

export function parseExpression(source: string): WorkflowExpression | undefined {
  TOKEN.lastIndex = 0;
  let [token, tokens] = ['', 0];
  const next = () => {
    const found = TOKEN.exec(source);
    if (!found || ++tokens > MAX_TOKENS) throw new SyntaxError('not a token');
    token = found[0].trim();
  };
  const take = (wanted: string) => {
    const isNext = token === wanted;
    if (isNext) next();
    return isNext;
  };
  const need = (wanted: string) => {
    if (!take(wanted)) throw new SyntaxError(`no ${wanted}`);
  };
  const binary = (weakest = 1): WorkflowExpression => {
    let left = unary();
    for (let strength = STRENGTH.get(token) ?? 0; strength >= weakest; strength = STRENGTH.get(token) ?? 0) {
      const name = token;
      next();
      left = { kind: 'operation', name, parts: [left, binary(strength + 1)] };
    }
    return left;
  };
  const unary = (): WorkflowExpression => {
    return take('!') ? { kind: 'operation', name: '!', parts: [unary()] } : properties(primary());
  };
  const primary = (): WorkflowExpression => {
    const first = token;
    next();
    const name = first.toLowerCase();
    if (first.startsWith("'"))
      return { kind: 'text', name: first.slice(1, -1).replaceAll("''", "'"), parts: [] };
    if (first === '(') {
      const inner = binary();
      need(')');
      return inner;
    }
    if (/^(?:[+-]?\.?\d|(?:true|false|null)$)/.test(name)) return { kind: 'value', name, parts: [] };
    if (!/^[a-z_]/.test(name)) throw new SyntaxError('no value');
    if (!take('(')) return { kind: 'context', name, parts: [] };
    const parts: WorkflowExpression[] = [];
    while (!take(')')) {
      parts.push(binary());
      if (token !== ')') need(',');
    }
    return { kind: 'call', name, parts };
  };
  const properties = (value: WorkflowExpression): WorkflowExpression => {
    if (!/^[.[]$/.test(token)) return value;
    const isIndex = take('[');
    if (!isIndex) next();
    const index = isIndex && token !== '*' ? binary() : undefined;
    const name = index ? propertyOf(index) : token.toLowerCase();
    if (!index) next();
    if (isIndex) need(']');
    const parts = index ? [index] : [];
    return properties(
      value.kind === 'context'
        ? { ...value, name: `${value.name}.${name}`, parts: [...value.parts, ...parts] }
        : { kind: 'property', name, parts: [value, ...parts] },
    );
  };
  try {
    next();
    const expression = binary();
    return token === '' ? expression : undefined;
  } catch {
    return undefined;
  }
}

const propertyOf = ({ kind, name }: WorkflowExpression): string =>
  kind === 'text' ? name.toLowerCase() : kind === 'value' ? '*' : '[]';

const CLEAN_CALLS = /^(?:contains|startswith|endswith|hashfiles|success|failure|always|cancelled)$/;

export function expressionContexts(expression: WorkflowExpression | undefined, path = ''): string[] {
  if (!expression) return [];
  const { kind, name, parts } = expression;
  if (kind === 'property') return expressionContexts(parts[0], `.${name}${path}`);
  if (kind === 'context') return [`${name}${path}`];
  const last = parts.length - 1;
  const isUsed = (at: number) => {
    if (kind === 'operation') return name === '||' || (name === '&&' && at === last);
    return name === 'case' ? at % 2 === 1 || at === last : !CLEAN_CALLS.test(name);
  };
  return parts.flatMap((part, at) => (isUsed(at) ? expressionContexts(part, path) : []));
}

const MAX_NORMAL = 500;

export function normalizeExpression({ kind, name, parts }: WorkflowExpression, forms: string[] = []) {
  const [first = '', ...others] = parts.map((part) => normalizeExpression(part, forms).at(-1) ?? '');
  let form = kind === 'text' ? `'${name}'` : name;
  if (kind === 'property') form = `${first}.${name}`;
  if (kind === 'call') form = `${name}(${[first, ...others].join(', ')})`;
  if (kind === 'operation') form = name === '!' ? `!${first}` : `(${first} ${name} ${others[0]})`;
  forms.push(form.slice(0, MAX_NORMAL));
  return forms;
}
