/** Code that shows a weakness, and code of the same shape that does not. */
export interface RuleCase {
  readonly rule: string;
  readonly found: string;
  readonly clean: string;
}
