/**
 * Creates a lookup of ids by name for the code.
 * @param what the kind of entity
 * @throws RangeError when there is none of a name, which is an error in the code and not in the data
 */
export function requiredId(find: (name: string) => number | undefined, what: string) {
  return (name: string): number => {
    const id = find(name);
    if (id === undefined) throw new RangeError(`there is no ${what} "${name}"`);
    return id;
  };
}
