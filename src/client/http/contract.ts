type Contract = typeof import('../../contract/endpoints.js') &
  typeof import('../../contract/requests/backups.js') &
  typeof import('../../contract/requests/imports.js') &
  typeof import('../../contract/reading.js') &
  typeof import('../../contract/shapes.js');

let loading: Promise<Contract> | undefined;

/** The contract, loaded at the first request: its schema library takes a quarter of the time of importing the client. */
export function loadContract(): Promise<Contract> {
  loading ??= importContract();
  return loading;
}

async function importContract(): Promise<Contract> {
  await import('../../contract/without-eval.js');
  const [endpoints, backups, imports, reading, shapes] = await Promise.all([
    import('../../contract/endpoints.js'),
    import('../../contract/requests/backups.js'),
    import('../../contract/requests/imports.js'),
    import('../../contract/reading.js'),
    import('../../contract/shapes.js'),
  ]);
  return { ...endpoints, ...backups, ...imports, ...reading, ...shapes };
}
