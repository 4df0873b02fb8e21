const kept: object[] = [];

/**
 * Keeps one object of a class alive for good. V8 forgets the shape of a class's objects with the last of them, and with it the
 * code compiled for that shape; where objects live for one import only, every import would compile again, and after some of
 * them for no shape in particular, which takes twice the time.
 */
export function keepShape(object: object): void {
  kept.push(object);
}
