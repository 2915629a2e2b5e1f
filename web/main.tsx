import { startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { authApi } from '#contract/auth.ts'
import { App } from './app/app.tsx'
import { ErrorPage } from './app/error-page.tsx'
import { preloadFirstScreen } from './app/screen-parts.ts'
import { api } from './lib/api.ts'
import { finishSignOut, settleWords } from './lib/forget-person.ts'
import { isOfflinePage, loadPageState, pageUser } from './lib/page-state.ts'
import { wordsOwner } from './lib/session.ts'
import { applyStyles, loadStyles } from './lib/shell.ts'
import { setBrowserThemeColor } from './lib/theme.ts'
import './styles.css'

const element = document.getElementById('root')
if (!element) throw new Error('В странице нет элемента root')
const root = createRoot(element)

setBrowserThemeColor()
start().catch((error: unknown) => {
  applyStyles()
  root.render(<ErrorPage error={error} />)
})

async function start() {
  await loadPageState()
  if (isOfflinePage()) (await import('./app/offline/start-offline.ts')).startOffline()
  else if (await finishSignOut(() => api(authApi.signOut, {}))) return location.reload()
  else await settleWords(wordsOwner(pageUser()))
  await Promise.all([preloadFirstScreen(), loadStyles()])
  // A transition renders in slices, so that the page with the shell stays responsive.
  startTransition(() => root.render(<App />))
}
