/**
 * Returns a function that looks up the ids of names in the code. The function throws a RangeError for an unknown name,
 * which is an error in the code and not in the data.
 * @param what the kind of entity
 */
export function requiredId(find: (name: string) => number | undefined, what: string) {
  return (name: string): number => {
    const id = find(name);
    if (id === undefined) throw new RangeError(`there is no ${what} "${name}"`);
    return id;
  };
}
