import { rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import react from '@vitejs/plugin-react'
import { build as vite } from 'vite'
import { icons } from './vite-icons.mjs'

/** Renders `web/shell/shells.tsx` with the components of the page. `folder` is for the files of this build step. */
export async function renderShells(folder) {
  await buildForServer('shell/shells.tsx', folder, {})
  defineBrowserGlobals()
  const { renderShells: render, drawSample } = await import(pathToFileURL(resolve(folder, 'shells.js')).href)
  rmSync(folder, { recursive: true })
  return { shells: render(), drawn: drawSample() }
}

/** The file with which the server draws the messages of a chat; it imports no package, so that React is not installed. */
export async function buildDrawing(folder) {
  await buildForServer('shell/drawn-thread.tsx', folder, {
    // The highlighter and the renderer of formulas are loaded in the browser only.
    ssr: { noExternal: true, external: ['highlight.js', 'katex'] },
    // There is no address: all links of answers are drawn as links to other sites.
    define: { 'process.env.NODE_ENV': '"production"', 'location.origin': '"https://none.invalid"' },
  })
  // Parts that only effects load, which never run on the server.
  rmSync(join(folder, 'assets'), { recursive: true, force: true })
}

async function buildForServer(entry, folder, options) {
  await vite({
    ...{ configFile: false, root: 'web', logLevel: 'warn', plugins: [react(), icons()], publicDir: false },
    ...options,
    build: {
      ssr: entry,
      outDir: join('..', folder),
      emptyOutDir: true,
      minify: false,
      cssMinify: false,
      rolldownOptions: { checks: { ineffectiveDynamicImport: false } },
    },
  })
}

/** Defines the browser globals that components read while they render: empty storage, no matching media query. */
function defineBrowserGlobals() {
  const memory = { getItem: () => null, setItem() {}, removeItem() {}, key: () => null, length: 0 }
  const nothing = () => {}
  const parts = {
    localStorage: memory,
    sessionStorage: memory,
    navigator: { onLine: true, userAgent: '' },
    matchMedia: () => ({ matches: false, addEventListener: nothing, removeEventListener: nothing }),
    addEventListener: nothing,
    document: { documentElement: {}, addEventListener: nothing },
    location: { search: '' },
    CSS: { supports: () => true },
    // Almost every browser has passkeys.
    PublicKeyCredential: { parseRequestOptionsFromJSON: nothing },
  }
  for (const [name, value] of Object.entries(parts))
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
  // The static renderer requires a server snapshot of each store; without one the browser value is used.
  const React = createRequire(import.meta.url)('react')
  React.useSyncExternalStore = (_subscribe, get, getOnServer = get) => getOnServer()
}
