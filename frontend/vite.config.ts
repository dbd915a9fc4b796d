import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

const server = "http://127.0.0.1:8000";
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  base: "/",
  plugins: [react()],
  resolve: { alias: { "@": here("./src") } },
  build: {
    outDir: here("../passer/static"),
    emptyOutDir: true,
    // A data: address for a small file would need a wider content policy than 'self'.
    assetsInlineLimit: 0,
  },
  server: {
    host: "127.0.0.1",
    // The server checks Host and Origin, so both must be its own.
    proxy: { "/api": { target: server, changeOrigin: true, headers: { origin: server } } },
  },
  test: {
    environment: "happy-dom",
    include: ["src/**/*.test.{ts,tsx}"],
    setupFiles: ["src/test-setup.ts"],
    restoreMocks: true,
    unstubGlobals: true,
  },
});
