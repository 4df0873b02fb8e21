/**
 * Returns a function that looks up the id of a name that appears in the code. An unknown name is an error in the code
 * rather than in the data, so the function throws a RangeError.
 * @param what the kind of entity, for the error message
 */
export function requiredId(find: (name: string) => number | undefined, what: string) {
  return (name: string): number => {
    const id = find(name);
    if (id === undefined) throw new RangeError(`there is no ${what} "${name}"`);
    return id;
  };
}
