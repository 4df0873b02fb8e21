import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

/** The page that `cropframe serve` shows: `src/explorer` → `dist/explorer`. `build.ts` runs it. */
export default defineConfig({
  root: fileURLToPath(new URL('src/explorer', import.meta.url)),
  // Every address in the page is relative, so that it works under a path prefix.
  base: './',
  logLevel: 'warn',
  oxc: { jsx: { importSource: 'preact' } },
  build: {
    outDir: fileURLToPath(new URL('dist/explorer', import.meta.url)),
    emptyOutDir: true,
    target: 'es2022',
    // The polyfill and data: URLs of scripts would need an exception from the page's policy.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    // Lazy parts, such as charts, are large; a test holds the sizes.
    chunkSizeWarningLimit: 3000,
  },
  // The service knows scripts of workers by this name: they have a policy of their own.
  worker: { format: 'es', rolldownOptions: { output: { entryFileNames: 'assets/worker-[name]-[hash].js' } } },
});
