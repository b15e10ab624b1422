import { AppBridge, PostMessageTransport } from '@modelcontextprotocol/ext-apps/app-bridge';

/** The page of an assistant that shows a view of MCP Apps, by the reference implementation of hosts. It runs in a browser. */

interface Opening {
  readonly html: string;
  readonly csp: Record<string, string[]>;
  readonly sandbox: string;
  readonly theme: 'light' | 'dark';
  readonly serverTools: boolean;
}

export interface HostPage {
  open(opening: Opening): Promise<void>;
  show(input: Record<string, unknown>, result: unknown): Promise<void>;
  cancel(): Promise<void>;
  setTheme(theme: 'light' | 'dark'): void;
  end(): Promise<unknown>;
  /** Sizes that the view has reported. */
  readonly sizes: { width?: number | undefined; height?: number | undefined }[];
}

declare global {
  interface Window {
    hostPage: HostPage;
    callServerTool(name: string, input: unknown): Promise<string>;
  }
}

type Result = Parameters<AppBridge['sendToolResult']>[0];
let bridge: AppBridge | undefined;

window.hostPage = {
  sizes: [],
  async open({ html, csp, sandbox, theme, serverTools }) {
    const frame = document.createElement('iframe');
    frame.title = 'A view';
    frame.sandbox.add('allow-scripts', 'allow-same-origin');
    document.body.append(frame);
    const target = frame.contentWindow;
    if (!target) throw new Error('the frame has no window');
    bridge = new AppBridge(
      null,
      { name: 'test-host', version: '1' },
      serverTools ? { serverTools: {} } : {},
      { hostContext: { theme, displayMode: 'inline' } },
    );
    const { promise: ready, resolve } = Promise.withResolvers<void>();
    bridge.oninitialized = () => resolve();
    bridge.onsandboxready = () => void bridge?.sendSandboxResourceReady({ html, csp });
    bridge.onsizechange = ({ width, height }) => {
      window.hostPage.sizes.push({ width, height });
      if (height !== undefined) frame.style.height = `${height + 8}px`;
    };
    bridge.oncalltool = async ({ name, arguments: input }) =>
      JSON.parse(await window.callServerTool(name, input ?? {})) as Result;
    await bridge.connect(new PostMessageTransport(target, target));
    frame.src = sandbox;
    await ready;
  },
  async show(input, result) {
    await bridge?.sendToolInput({ arguments: input });
    await bridge?.sendToolResult(result as Result);
  },
  async cancel() {
    await bridge?.sendToolCancelled({ reason: 'the user' });
  },
  setTheme: (theme) => bridge?.setHostContext({ theme, displayMode: 'inline' }),
  end: async () => bridge?.teardownResource({}),
};
