import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib";
import react from "@vitejs/plugin-react";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

const server = "http://127.0.0.1:8000";
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const gzipped = promisify(gzip);
const brotlied = promisify(brotliCompress);

/** Writes each asset a second and third time, in gzip and brotli; passer/api/client_files.py sends them. */
const compressed: Plugin = {
  name: "compressed",
  apply: "build",
  generateBundle: {
    order: "post",
    async handler(_, bundle) {
      const assets = Object.values(bundle).filter(({ fileName }) => /^assets\/.+\.(js|css)$/.test(fileName));
      const write = async (file: (typeof assets)[number]) => {
        const content = file.type === "chunk" ? file.code : file.source;
        const [gz, br] = await Promise.all([gzipped(content), brotlied(content)]);
        this.emitFile({ type: "asset", fileName: `${file.fileName}.gz`, source: gz });
        this.emitFile({ type: "asset", fileName: `${file.fileName}.br`, source: br });
      };
      await Promise.all(assets.map(write));
    },
  },
};

const TESTS = ["src/**/*.test.{ts,tsx}"];
/** Tests that load the page's modules in another language, which would stay loaded for those after them. */
const ALONE = [
  "src/components/ServerText.test.tsx",
  "src/components/numbers/format.test.ts",
  "src/features/new-sweep/form.test.ts",
  "src/words/words.test.ts",
];

export default defineConfig({
  base: "/",
  plugins: [react(), compressed],
  resolve: { alias: { "@": here("./src") } },
  build: {
    outDir: here("../passer/static"),
    emptyOutDir: true,
    // Tells `npm run size` which files the first page needs.
    manifest: true,
    // Every browser that has popovers, which the page needs, preloads modules itself.
    modulePreload: { polyfill: false },
    // A data: address for a small file would need a wider content policy than 'self'.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    // `npm run size` has a budget for what is sent.
    chunkSizeWarningLimit: 600,
    rolldownOptions: {
      checks: { bundlerTimings: false },
      output: {
        codeSplitting: {
          // Without groups each set of pages that share a module makes a file of its own: 57 for the first page.
          groups: [
            // Messages wait for their catalogue while modules are loaded, and Bulgarian's own code uses them: in one
            // file with server.ts, which waits for that code, neither would ever be ready.
            { name: "words", tags: ["$initial"], test: /src\/words\/(?!server\.ts)/ },
            { name: "libraries", tags: ["$initial"], test: /node_modules/ },
            { name: "first-page", tags: ["$initial"] },
            // What six pages or more share: as files of their own, the page of a sweep asked for 94.
            { name: "shared", minShareCount: 6 },
          ],
        },
      },
    },
  },
  server: {
    host: "127.0.0.1",
    // The server checks Host and Origin, so both must be its own.
    proxy: { "/api": { target: server, changeOrigin: true, headers: { origin: server } } },
  },
  test: {
    environment: "happy-dom",
    projects: [
      { extends: true, test: { name: "together", include: TESTS, exclude: ALONE, isolate: false } },
      { extends: true, test: { name: "alone", include: ALONE } },
    ],
    setupFiles: ["src/test-setup.ts"],
    // By default one processor less than there are, which on two processors is one file after the other.
    maxWorkers: "100%",
    restoreMocks: true,
    unstubGlobals: true,
    // Not a measure of speed: on a busy machine a table with a menu takes longer than the 5 s of the default.
    testTimeout: 30_000,
  },
});
