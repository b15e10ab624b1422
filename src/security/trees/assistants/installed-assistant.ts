/** AI assistant found on this machine. `paths` lists its files and folders as findings show them. */
export interface InstalledAssistant {
  readonly title: string;
  readonly paths: readonly string[];
  readonly parts: readonly AssistantPart[];
}

export interface AssistantPart {
  readonly kind: string;
  readonly name: string;
  readonly paths: readonly string[];
  /** Settings file of a server, with the first and last line of the server's entry. */
  readonly settings?: { readonly path: string; readonly from: number; readonly to: number };
  /** The command or address of a server, without secrets. */
  readonly start?: string;
  readonly version?: string | undefined;
  readonly missing?: string | undefined;
}
