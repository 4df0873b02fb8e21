/** Looks up names that are written in the code. An unknown name is a fault of the code, so it throws a RangeError. */
export function requiredId(find: (name: string) => number | undefined, what: string) {
  return (name: string): number => {
    const id = find(name);
    if (id === undefined) throw new RangeError(`there is no ${what} "${name}"`);
    return id;
  };
}
