export const upperFirst = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
/** Converts the first letter to lower case unless the second letter is a capital, as in GDP. */
export const lowerFirst = (text: string) =>
  /^.[A-Z]/.test(text) ? text : text.charAt(0).toLowerCase() + text.slice(1);
