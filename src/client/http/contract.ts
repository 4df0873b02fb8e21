type Contract = typeof import('../../contract/endpoints.js') &
  typeof import('../../contract/requests/upkeep.js') &
  typeof import('../../contract/json-base.js') &
  typeof import('../../contract/shapes.js');

let loading: Promise<Contract> | undefined;

/**
 * Returns the schemas of answers, loaded when a client is made or first needs them: their library takes a quarter of
 * the time of importing the client. A load that fails is tried again at the next need.
 */
export function loadContract(): Promise<Contract> {
  if (loading === undefined) {
    const begun = importContract();
    loading = begun;
    begun.catch(() => {
      if (loading === begun) loading = undefined;
    });
  }
  return loading;
}

async function importContract(): Promise<Contract> {
  await import('../../contract/without-eval.js');
  const [endpoints, upkeep, jsonBase, shapes] = await Promise.all([
    import('../../contract/endpoints.js'),
    import('../../contract/requests/upkeep.js'),
    import('../../contract/json-base.js'),
    import('../../contract/shapes.js'),
  ]);
  return { ...endpoints, ...upkeep, ...jsonBase, ...shapes };
}
