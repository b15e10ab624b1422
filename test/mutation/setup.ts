// What is mutated is loaded before the tests: of a module that the first test loads, Stryker would take the constants
// for covered by that test alone.
for (const file of process.env.MUTATED_FILES?.split(' ') ?? []) {
  await import(new URL(`../../${file}`, import.meta.url).href);
}
