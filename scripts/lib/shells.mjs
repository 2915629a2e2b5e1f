import { rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import react from '@vitejs/plugin-react'
import { build as vite } from 'vite'
import { icons } from './vite-icons.mjs'

/** Renders `web/shell/shells.tsx` with the components of the page. `folder` is for the files of this build step. */
export async function renderShells(folder) {
  await vite({
    ...{ configFile: false, root: 'web', logLevel: 'warn', plugins: [react(), icons()] },
    build: {
      ssr: 'shell/shells.tsx',
      outDir: join('..', folder),
      emptyOutDir: true,
      minify: false,
      cssMinify: false,
      rolldownOptions: { checks: { ineffectiveDynamicImport: false } },
    },
  })
  defineBrowserGlobals()
  const { renderShells: render } = await import(pathToFileURL(resolve(folder, 'shells.js')).href)
  rmSync(folder, { recursive: true })
  return render()
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
    // Almost every browser has passkeys.
    PublicKeyCredential: { parseRequestOptionsFromJSON: nothing },
  }
  for (const [name, value] of Object.entries(parts))
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
  // The static renderer requires a server snapshot of each store; without one the browser value is used.
  const React = createRequire(import.meta.url)('react')
  React.useSyncExternalStore = (_subscribe, get, getOnServer = get) => getOnServer()
}
