/** Types of hnswlib-node, which npm leaves out if it cannot compile it. The build must then still succeed. */
declare module 'hnswlib-node' {
  export class HierarchicalNSW {
    constructor(space: 'ip', dimensions: number);
    initIndex(capacity: number, links: number, efConstruction: number): void;
    readIndex(file: string): Promise<boolean>;
    writeIndex(file: string): Promise<boolean>;
    resizeIndex(capacity: number): void;
    addPoint(point: number[], label: number): void;
    markDelete(label: number): void;
    searchKnn(point: number[], count: number): { distances: number[]; neighbors: number[] };
    getPoint(label: number): number[];
    getMaxElements(): number;
    getCurrentCount(): number;
    setEf(candidates: number): void;
  }
  const library: { readonly HierarchicalNSW: typeof HierarchicalNSW };
  export default library;
}
