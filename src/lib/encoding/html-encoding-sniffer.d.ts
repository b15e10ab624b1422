declare module 'html-encoding-sniffer' {
  /** Returns the name of the encoding that a browser would use, in the form for TextDecoder. */
  export default function sniff(
    bytes: Uint8Array,
    options?: { transportLayerEncodingLabel?: string; defaultEncoding?: string; xml?: boolean },
  ): string;
}
