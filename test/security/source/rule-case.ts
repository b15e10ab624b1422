/** Code that shows a fault, and code of the same shape that does not. */
export interface RuleCase {
  readonly rule: string;
  readonly found: string;
  readonly clean: string;
}
