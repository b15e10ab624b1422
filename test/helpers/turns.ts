/**
 * Counts the turns of the event loop from now on.
 *
 * An idle loop takes thousands of them in a tenth of a second, however fast the machine is; one that a single long
 * task holds up takes none.
 *
 * @returns a function that ends the count and gives the number of turns.
 */
export function countTurns(): () => number {
  let turns = 0;
  let counting = true;
  const turn = () => {
    turns += 1;
    if (counting) setImmediate(turn);
  };
  setImmediate(turn);
  return () => {
    counting = false;
    return turns;
  };
}
