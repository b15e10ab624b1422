/** Scripts of a view, sent as source text: no function may use imports. Data is never parsed as HTML. */

export interface ViewResult {
  readonly structuredContent?: { readonly data?: unknown };
  readonly content?: readonly { readonly type?: string; readonly text?: string }[];
  readonly isError?: boolean;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

export interface McpAppHost {
  readonly ask: ((tool: string, input: Readonly<Record<string, unknown>>) => Promise<void>) | undefined;
}

export type ViewContent = Node | string | number | undefined | false | readonly ViewContent[];

export type DrawView = (data: unknown, beside: unknown, host: McpAppHost) => Node;

interface BridgeMessage {
  readonly jsonrpc?: unknown;
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: Record<string, unknown>;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly message?: unknown };
}

/** Makes nodes of a template. Only its own text is parsed as HTML: values become text, nodes or attributes. */
export function markup(template: TemplateStringsArray, ...values: readonly ViewContent[]): DocumentFragment {
  // Stands before and after the number of a value, so every second piece between two marks is a number.
  const mark = '\u2063';
  const holder = document.createElement('template');
  holder.innerHTML = template.reduce((text, next, at) => text + mark + (at - 1) + mark + next);
  const walker = document.createTreeWalker(holder.content, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  const found: Node[] = [];
  while (walker.nextNode()) found.push(walker.currentNode);
  const fill = (text: string) =>
    text.split(mark).map((piece, at) => (at % 2 === 0 ? piece : values[Number(piece)]));
  for (const node of found) {
    if (node instanceof Element) {
      for (const { name, value } of [...node.attributes]) node.setAttribute(name, fill(value).join(''));
    } else {
      const shown = (fill(node.textContent ?? '') as unknown[]).flat(Infinity);
      const given = shown.filter((one) => one !== undefined && one !== false);
      (node as Text).replaceWith(...given.map((one) => (one instanceof Node ? one : String(one))));
    }
  }
  return holder.content;
}

export function makeButton(words: string, press: () => void): HTMLButtonElement {
  const button = Object.assign(document.createElement('button'), { type: 'button', textContent: words });
  button.addEventListener('click', press);
  return button;
}

export function makeSvg(
  name: string,
  attributes: Readonly<Record<string, string | number>>,
  ...inner: readonly (Node | string)[]
): Element {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...inner);
  return element;
}

function createExchange(send: (message: object) => void) {
  const waiting = new Map<unknown, (message: BridgeMessage) => void>();
  let last = 0;
  return {
    request(method: string, params: object): Promise<Record<string, unknown>> {
      const id = ++last;
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting.delete(id);
          reject(new Error('The assistant did not answer within 30 seconds.'));
        }, 30_000);
        waiting.set(id, ({ result, error }) => {
          clearTimeout(timer);
          if (result) resolve(result);
          else reject(new Error(String(error?.message ?? 'The assistant refused.')));
        });
        send({ id, method, params });
      });
    },
    settle(message: BridgeMessage): void {
      const settle = waiting.get(message.id);
      waiting.delete(message.id);
      settle?.(message);
    },
  };
}

/** Applies the host's theme and font. The colours stay Magpie's own, because their contrast is known. */
function applyContext(context: unknown): void {
  const { theme, styles } = (context ?? {}) as {
    theme?: unknown;
    styles?: { variables?: Record<string, unknown> };
  };
  const root = document.documentElement;
  if (theme === 'light' || theme === 'dark') root.dataset.theme = theme;
  const font = styles?.variables?.['--font-sans'];
  if (typeof font === 'string') root.style.setProperty('--font', font);
}

function reportSize(notify: (method: string, params: object) => void): void {
  let sent = '';
  const report = () => {
    const { scrollWidth: width } = document.documentElement;
    const height = Math.ceil(document.body.getBoundingClientRect().height);
    if (sent === `${width} ${height}`) return;
    sent = `${width} ${height}`;
    notify('ui/notifications/size-changed', { width, height });
  };
  new ResizeObserver(report).observe(document.body);
  report();
}

function createStage(draw: DrawView) {
  const [main, state] = [document.querySelector('main'), document.querySelector('[role=status]')];
  const say = (words: string) => {
    if (state) state.textContent = words;
  };
  const fail = (words: string) => {
    main?.replaceChildren(
      markup`<h1 class="unseen">${document.title}</h1><p class="alert" role="alert">${words}</p>`,
    );
    say('');
  };
  return {
    say,
    fail,
    show(result: ViewResult, host: McpAppHost): void {
      const texts = (result.content ?? []).flatMap(({ text }) => (typeof text === 'string' ? [text] : []));
      const data = result.structuredContent?.data;
      if (result.isError || typeof data !== 'object' || data === null) {
        fail(texts.join('\n') || 'There is no answer to show.');
        return;
      }
      main?.replaceChildren(draw(data, result._meta?.['magpie/view'], host));
      say('');
    },
  };
}

export function openView(name: string, version: string, draw: DrawView): void {
  const { parent } = window;
  // The origin of the embedding page is unknown, so messages go to any origin and contain no secrets.
  const send = (message: object) => parent.postMessage({ jsonrpc: '2.0', ...message }, '*');
  const notify = (method: string, params: object) => send({ method, params });
  const exchange = createExchange(send);
  const stage = createStage(draw);
  let canAsk = false;
  const ask = async (tool: string, input: Readonly<Record<string, unknown>>): Promise<void> => {
    stage.say('Asking …');
    try {
      const result = await exchange.request('tools/call', { name: tool, arguments: input });
      stage.show(result as ViewResult, host());
      stage.say('Up to date');
    } catch (error) {
      stage.say(error instanceof Error ? error.message : String(error));
    }
  };
  const host = (): McpAppHost => ({ ask: canAsk ? ask : undefined });

  const handlers = new Map<string, (params: Record<string, unknown>) => void>([
    ['ui/notifications/tool-input', () => stage.say('Waiting for the answer …')],
    ['ui/notifications/tool-result', (params) => stage.show(params as ViewResult, host())],
    ['ui/notifications/tool-cancelled', () => stage.fail('The call was cancelled.')],
    ['ui/notifications/host-context-changed', applyContext],
  ]);
  window.addEventListener('message', (event: MessageEvent) => {
    const message = event.data as BridgeMessage | undefined;
    if (event.source !== parent || message?.jsonrpc !== '2.0') return;
    const { id, method, params = {} } = message;
    if (typeof method !== 'string') exchange.settle(message);
    else if (id === undefined) handlers.get(method)?.(params);
    else if (method === 'ping' || method === 'ui/resource-teardown') send({ id, result: {} });
    else send({ id, error: { code: -32601, message: `a view of Magpie has no method ${method}` } });
  });
  const introduction = {
    protocolVersion: '2026-01-26',
    appInfo: { name: `magpie-${name}`, version },
    appCapabilities: { availableDisplayModes: ['inline', 'fullscreen'] },
  };
  exchange.request('ui/initialize', introduction).then(
    ({ hostContext, hostCapabilities }) => {
      canAsk = (hostCapabilities as { serverTools?: unknown } | undefined)?.serverTools !== undefined;
      applyContext(hostContext);
      notify('ui/notifications/initialized', {});
      reportSize(notify);
    },
    (error: Error) => stage.fail(error.message),
  );
}

export const BRIDGE_FUNCTIONS = [
  markup,
  makeButton,
  makeSvg,
  createExchange,
  applyContext,
  reportSize,
  createStage,
  openView,
];
