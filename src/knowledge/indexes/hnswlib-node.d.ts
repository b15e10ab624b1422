/** Types of hnswlib-node, which npm does not install if compiling fails. The build needs the types anyway. */
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
