import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { leanContract } from './scripts/lib/lean-contract.ts'

// The dev script starts the server one port above the page.
const server = `http://127.0.0.1:${process.env.API_PORT ?? '3001'}`

/** Almost every word is Cyrillic: its font is fetched together with the styles, not after them. */
function preloadCyrillicFont(): Plugin {
  return {
    name: 'preload-cyrillic-font',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }) {
        const font = Object.keys(bundle ?? {}).find((name) => /golos-text-cyrillic-[^/]*\.woff2$/.test(name))
        if (!font) return []
        const attrs = { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${font}`, crossorigin: '' }
        return [{ tag: 'link', attrs, injectTo: 'head' }]
      },
    },
  }
}

/** Every browser we build for reads woff2: the other formats of the formulas' fonts would only fill the disk. */
function onlyWoff2(): Plugin {
  return {
    name: 'only-woff2',
    enforce: 'pre',
    transform: {
      filter: { id: /katex[^/]*\.css$/ },
      handler: (code) => code.replace(/,\s*url\([^)]*\)\s*format\("(?:woff|truetype)"\)/g, ''),
    },
  }
}

export default defineConfig({
  root: 'web',
  plugins: [leanContract(), react(), tailwindcss(), onlyWoff2(), preloadCyrillicFont()],
  // React has this hook; the router still bundles a polyfill of it.
  resolve: { alias: { 'use-sync-external-store/shim/index.js': 'react', 'use-sync-external-store/shim': 'react' } },
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    target: ['chrome123', 'edge123', 'firefox128', 'safari17.5'],
    assetsInlineLimit: 0,
    sourcemap: false,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          // What is always fetched together is one file: a hundred small ones cost more than they hold. A group takes
          // along what its files import, unless a group before it has it already.
          groups: [
            // React changes seldom: apart from ours it stays in the cache over many builds.
            { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\/|rolldown\/runtime/, priority: 9 },
            // Forms check with them; no first screen does.
            { name: 'schemas', test: /node_modules\/zod\/|\?schemas$/, priority: 8 },
            // With what both the sign-in page and the frame show.
            {
              name: 'main',
              test: /web\/main\.tsx|web\/ui\/(button|text-field|callout|text-link)\.tsx|contract\/auth\.ts|useMutation\.js|error-text\.ts/,
              priority: 7,
            },
            { name: 'signin', test: /web\/screens\/auth\/signin\.tsx/, priority: 3 },
            // Shown after the first step: the page of the email, and everything around a password.
            { name: 'account', test: /web\/screens\/auth\/(?!second-factor)/, priority: 2 },
            { name: 'frame', test: /web\/app\/frame\/frame\.tsx|web\/screens\/home\.tsx/, priority: 2 },
            { name: 'thread', test: /web\/screens\/thread\.tsx/, priority: 1 },
            { name: 'icons', test: /node_modules\/lucide-react\//, priority: 0 },
          ],
        },
      },
    },
  },
  server: {
    port: 3000,
    strictPort: true,
    proxy: {
      '/api': { target: server, ws: true },
      '/builds': server,
      '/dev': server,
      '/error': server,
      '/metrics': server,
    },
  },
})
