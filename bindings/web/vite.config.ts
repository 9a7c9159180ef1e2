import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import compression from "compression";
import { defineConfig, type Plugin } from "vite";
import { en } from "./app/src/texts/en.js";

/** Headers that allow shared memory. Searches then stop at once and keep their hash table. */
const isolation = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "require-corp",
};
const headers = process.env["OUTFLANK_NOT_ISOLATED"] ? {} : isolation;

/** Writes the service worker, with the names of all files that the page needs. */
function offline(): Plugin {
  return {
    name: "outflank-offline",
    apply: "build",
    enforce: "post",
    generateBundle(_, bundle) {
      const names = Object.keys(bundle).filter((name) => !name.endsWith(".map"));
      const read = (name: string) => readFileSync(new URL(`./app/${name}`, import.meta.url));
      const source = read("service-worker.js").toString();
      const contents = createHash("sha256").update(source);
      const fixed = readdirSync(new URL("./app/public", import.meta.url)).sort();
      for (const name of fixed) contents.update(name).update(read(`public/${name}`));
      for (const name of names.sort()) {
        const file = bundle[name]!;
        contents.update(name).update(file.type === "asset" ? file.source : file.code);
      }
      const files = ["./", ...fixed, ...names.filter((name) => name !== "index.html")];
      const version = contents.digest("hex").slice(0, 16);
      this.emitFile({
        type: "asset",
        fileName: "service-worker.js",
        source: `const VERSION = ${JSON.stringify(version)};\nconst FILES = ${JSON.stringify(files)};\n${source}`,
      });
    },
  };
}

/** Writes the English texts into the pages, so that something is there before the scripts are. */
function staticTexts(): Plugin {
  const texts = en as unknown as Record<string, string>;
  return {
    name: "outflank-texts",
    transformIndexHtml: (html) =>
      html.replace(/(data-text="(\w+)"[^>]*>)(?=<\/)/g, (_, tag: string, name: string) => tag + texts[name]),
  };
}

/** Compresses what `npm run preview` sends, most of all the modules. */
function compressed(): Plugin {
  return {
    name: "outflank-compression",
    configurePreviewServer: ({ middlewares }) => void middlewares.use(compression()),
  };
}

export default defineConfig({
  root: "app",
  base: "./",
  plugins: [offline(), staticTexts(), compressed()],
  build: {
    outDir: "../dist",
    emptyOutDir: true,
    target: "es2022",
    // Even small files are fetched, not inlined.
    assetsInlineLimit: 0,
    rollupOptions: {
      input: { index: "app/index.html", kernels: "app/kernels.html" },
      output: {
        // The modules of all builds have the same file name. The service worker needs the name of the build.
        assetFileNames: ({ originalFileNames: [from = ""] }) => {
          const build = /(portable|simd128(?:-threads)?)\/outflank_web_bg\.wasm$/.exec(from)?.[1];
          return `assets/${build ?? "[name]"}-[hash][extname]`;
        },
      },
    },
  },
  worker: { format: "es" },
  optimizeDeps: { exclude: ["outflank"] },
  server: { headers: isolation, fs: { allow: ["../../.."] } },
  preview: { headers },
});
