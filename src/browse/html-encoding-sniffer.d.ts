declare module 'html-encoding-sniffer' {
  /** Name of the encoding that a browser would take, as TextDecoder knows it. */
  export default function sniff(
    bytes: Uint8Array,
    options?: { transportLayerEncodingLabel?: string; defaultEncoding?: string; xml?: boolean },
  ): string;
}
