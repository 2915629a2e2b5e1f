import { useSyncExternalStore } from 'react'

export type Theme = 'system' | 'light' | 'dark'

/** The same key is read by theme.js before the first paint. */
const KEY = 'theme'
const listeners = new Set<() => void>()
const pageColour = { light: '#fbfaf8', dark: '#1a1917' }

function readTheme(): Theme {
  const stored = document.documentElement.dataset.theme
  return stored === 'light' || stored === 'dark' ? stored : 'system'
}

export function chooseTheme(theme: Theme): void {
  if (theme === 'system') {
    delete document.documentElement.dataset.theme
    localStorage.removeItem(KEY)
  } else {
    document.documentElement.dataset.theme = theme
    localStorage.setItem(KEY, theme)
  }
  paintBrowser()
  for (const listener of listeners) listener()
}

/** The browser's own bar takes the colour of the page, also when the choice is not the system's. */
export function paintBrowser(): void {
  const theme = readTheme()
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]'))
    meta.content = pageColour[theme === 'system' ? (meta.media.includes('dark') ? 'dark' : 'light') : theme]
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, readTheme)
}
