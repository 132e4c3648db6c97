/** Parameters as the query of an address. */
export const queryOf = (parameters) =>
  Object.entries(parameters)
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
