import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { leanContract } from './scripts/lib/lean-contract.ts'
import { reactErrors } from './scripts/lib/react-errors.ts'
import { icons } from './scripts/lib/vite-icons.mjs'

// The dev script starts the server one port above the page.
const server = `http://127.0.0.1:${process.env.API_PORT ?? '3001'}`

/** Needed by the first layout: without it the page is laid out twice. */
function preloadFont(): Plugin {
  return {
    name: 'preload-font',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }) {
        const fonts = Object.keys(bundle ?? {}).filter((name) => /golos-text-/.test(name))
        const attrs = { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: '' }
        return fonts.map((font) => ({ tag: 'link', attrs: { ...attrs, href: `/${font}` }, injectTo: 'head' }))
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

/** HTML blocks are off in answers (`contract/markdown`), so their tokenizer (1 kB) is left out of the page. */
function withoutHtmlBlocks(): Plugin {
  return {
    name: 'without-html-blocks',
    enforce: 'pre',
    transform: {
      filter: { id: /micromark-core-commonmark\/lib\/html-flow\.js$/ },
      handler: () => "export const htmlFlow = { name: 'htmlFlow', tokenize: (effects, ok, nok) => nok }",
    },
  }
}

/** What every page has loaded already is not named beside each later part. */
function withoutLoaded(_file: string, names: string[], { hostType }: { hostType: 'html' | 'js' }): string[] {
  return hostType === 'html' ? names : names.filter((name) => !/\/(rolldown-runtime|react|main)-/.test(name))
}

export default defineConfig({
  root: 'web',
  plugins: [
    leanContract(),
    react(),
    tailwindcss(),
    icons(),
    reactErrors(),
    onlyWoff2(),
    withoutHtmlBlocks(),
    preloadFont(),
  ],
  resolve: {
    alias: {
      // React has this hook; the router still bundles a polyfill of it.
      'use-sync-external-store/shim/index.js': 'react',
      'use-sync-external-store/shim': 'react',
      // Routes are found by contract/screens.ts: the budget of the first load has no room for the router's patterns.
      regexparam: new URL('web/lib/no-patterns.ts', import.meta.url).pathname,
    },
  },
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    target: ['chrome123', 'edge123', 'firefox128', 'safari17.5'],
    assetsInlineLimit: 0,
    sourcemap: false,
    modulePreload: { polyfill: false, resolveDependencies: withoutLoaded },
    rolldownOptions: {
      // What the frame has anyway is loaded on demand by the pages without it.
      checks: { ineffectiveDynamicImport: false },
      output: {
        // Short and easily compressed, because the first file names all others. Two builds of one file differ surely enough.
        hashCharacters: 'hex',
        entryFileNames: 'assets/[name]-[hash:7].js',
        chunkFileNames: 'assets/[name]-[hash:7].js',
        codeSplitting: {
          // What is always fetched together is one file: a hundred small ones cost more than they hold. A group takes
          // along what its files import, unless a group before it has it already.
          groups: [
            // React changes seldom: apart from ours it stays in the cache over many builds.
            { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\//, priority: 9 },
            // Forms check with them; no first screen does.
            { name: 'schemas', test: /node_modules\/zod\/|\?schemas$/, priority: 8 },
            // With what both the sign-in page and the frame show.
            {
              name: 'main',
              test: /web\/main\.tsx|web\/features\/auth\/feature\.ts|web\/ui\/(button|text-field|callout|text-link)\.tsx|web\/lib\/(use-form-call|pending-question-key)\.ts|contract\/auth\.ts/,
              priority: 7,
            },
            { name: 'signin', test: /web\/features\/auth\/screens\/signin\.tsx/, priority: 6 },
            // Of password fields and of chats: neither should bring the other.
            { name: 'eye', test: /virtual:icon\/eye/, priority: 6 },
            {
              name: 'frame',
              test: /web\/app\/frame\/frame\.tsx|chat\/screens\/home\.tsx|web\/features\/(index|(chat|threads|help)\/feature)\.ts/,
              priority: 5,
            },
            { name: 'thread', test: /chat\/screens\/thread\.tsx|sending\/deliver\.ts/, priority: 4 },
            { name: 'markdown', test: /web\/ui\/markdown\/markdown\.tsx/, priority: 3 },
            // For a time without a connection: loaded before it.
            { name: 'toaster', test: /web\/ui\/toaster\.tsx|web\/app\/offline\/|node_modules\/sonner\//, priority: 3 },
            // Menus, dialogs and lists of choices stand on the same library.
            {
              name: 'menus',
              test: /node_modules\/(@radix-ui|@floating-ui)\/|web\/ui\/(menu|dialog)\.tsx/,
              priority: 3,
            },
            { name: 'forms', test: /web\/ui\/(form|table|chart)\//, priority: 2 },
            // The rest of the kit, for all later screens.
            { name: 'kit', test: /web\/(ui\/(?!markdown)|lib\/)|virtual:icon\//, priority: 1 },
            { name: 'features', test: /web\/features\/\w+\/feature\.ts/ },
            // What the field of a message shows now and then, and other small parts that come together. The first file names
            // all others: fewer names are less of it.
            {
              name: 'notes',
              test: /chat\/(composer\/(change-chip|chosen-chips|spend-question|blocked-note|link-offers|list-keys)|home\/temporary-hint|masking\/masking-line|pending-question\/question-note)\.tsx?$/,
            },
            {
              name: 'calls',
              test: /contract\/(api-keys|image-skills|payments|auth-admin|profile-sections|legal)\.ts$/,
            },
            { name: 'queries', test: /features\/(?!projects|disputes)\w+\/queries\.ts$/ },
            { name: 'second-step', test: /auth\/.*(used-link|second-factor|email-sended|email-sent-step)\.tsx$/ },
            {
              name: 'panel-menus',
              test: /threads\/(thread-menu|share-dialog)\.tsx$|frame\/(user-menu|shortcuts-dialog)\.tsx$/,
            },
            { name: 'field-menus', test: /(add-menu|search-menu|thinking-menu|thinking-picker)\.tsx$/ },
            { name: 'price', test: /(price-line|estimated-price)\.tsx?$/ },
            { name: 'suggest', test: /(suggest-search|composer-suggest|prompt-variables)\.tsx?$/ },
            { name: 'owner', test: /(waiting-disputes|admin-nav)\.tsx$|features\/disputes\/queries\.ts$/ },
            {
              name: 'projects',
              test: /threads\/(panel-projects|use-move-threads)\.tsx?$|ui\/project-icon\.tsx$|features\/projects\/queries\.ts$/,
            },
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
