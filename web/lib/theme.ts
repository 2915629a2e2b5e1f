import { createStore } from './create-store.ts'

export type Theme = 'system' | 'light' | 'dark'

/** boot.js reads the same key before the first paint. */
const KEY = 'theme'
const chosenTheme = createStore<Theme | null>(null)
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
  setBrowserThemeColor()
  chosenTheme.set(theme)
}

/** Colours the browser's bar like the page, also when the chosen theme differs from the system's. */
export function setBrowserThemeColor(): void {
  const theme = readTheme()
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]'))
    meta.content = pageColour[theme === 'system' ? (meta.media.includes('dark') ? 'dark' : 'light') : theme]
}

export function useTheme(): Theme {
  return chosenTheme.use() ?? readTheme()
}
