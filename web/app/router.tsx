import {
  Component,
  memo,
  type ReactNode,
  Suspense,
  useDeferredValue,
  useEffect,
  useInsertionEffect,
  useLayoutEffect,
  useMemo,
  useRef,
} from 'react'
import { useSearch } from 'wouter'
import { navigate, usePathname } from 'wouter/use-browser-location'
import { decideRoute, type Route } from '#contract/route-guard.ts'
import { type ScreenName, screens } from '#contract/screens.ts'
import { rememberWantedPath } from '#web/lib/next-path.ts'
import { message } from '#web/lib/notify.ts'
import { pageConfig } from '#web/lib/page-state.ts'
import { paths } from '#web/lib/paths.ts'
import { useSession } from '#web/lib/session.ts'
import { removeShell } from '#web/lib/shell.ts'
import { ErrorNotice, ErrorPage } from './error-page.tsx'
import { Column, NoAuthLayout } from './layouts.tsx'
import { LazyFrame, preloadScreenAt, screenComponent, titles } from './screen-parts.ts'

/** The old screen stays until the new one is loaded: the deferred value follows the address. */
export function Router() {
  // As it is written: the router of the library would decode it, and the server decides by the same characters.
  const path = usePathname()
  const search = useSearch()
  const user = useSession()
  const route = useMemo(() => decideRoute(path, search, user, pageConfig().openHelp), [path, search, user])
  useLayoutEffect(() => {
    if (route.type !== 'redirect') return
    if (route.to === paths.signIn()) rememberWantedPath(path + (search && `?${search}`) + location.hash)
    navigate(route.to + (route.isSamePlace ? location.hash : ''), { replace: true })
    if (route.note) message.error(route.note)
  }, [route, path, search])

  const shown = useDeferredValue(route)
  return (
    <ErrorBoundary
      key={shown.type === 'redirect' ? shown.type : shown.user?.id}
      fallback={(error) => <ErrorPage error={error} />}
    >
      <Suspense fallback={null}>
        <ShownRoute route={shown} />
      </Suspense>
    </ErrorBoundary>
  )
}

const ShownRoute = memo(function ShownRoute({ route }: { route: Route }) {
  // Rendered with the content, so this effect runs once the content is loaded.
  useInsertionEffect(() => {
    if (route.type !== 'redirect') removeShell()
  }, [route])
  if (route.type === 'redirect') return null
  if (route.type === 'fail') return <RouteError {...route} />
  return <ShownScreen {...route} />
})

/** A signed-in user keeps the panel, to navigate elsewhere. */
function RouteError({ error, user }: Extract<Route, { type: 'fail' }>) {
  if (!user) return <ErrorPage error={error} />
  return (
    <LazyFrame user={user}>
      <ErrorNotice error={error} />
    </LazyFrame>
  )
}

function ShownScreen({ path, match, user }: Extract<Route, { type: 'show' }>) {
  preloadScreenAt(path)
  useScreenChange(path, match.screen)
  const Screen = screenComponent(match.screen)
  const screen = (
    <ErrorBoundary key={path} fallback={(error) => <ErrorNotice error={error} />}>
      <Screen screen={match.screen} params={match.params} />
    </ErrorBoundary>
  )
  if (match.layout === 'no-auth' || !user)
    return <NoAuthLayout isTextPage={screens[match.screen].feature !== 'auth'}>{screen}</NoAuthLayout>
  return (
    <LazyFrame user={user}>
      <Column layout={match.layout} isAdmin={path.startsWith('/admin')}>
        {screen}
      </Column>
    </LazyFrame>
  )
}

interface Props {
  fallback: (error: unknown) => ReactNode
  children: ReactNode
}

interface State {
  failed: { error: unknown } | null
}

/** Error boundaries must be classes. Change its `key` to reset it, for example at another address. */
class ErrorBoundary extends Component<Props, State> {
  override state: State = { failed: null }

  static getDerivedStateFromError(error: unknown): State {
    return { failed: { error } }
  }

  override render() {
    const { failed } = this.state
    return failed ? this.props.fallback(failed.error) : this.props.children
  }
}

let isGoingBack = false
addEventListener('popstate', () => {
  isGoingBack = true
})
addEventListener('pushState', () => {
  isGoingBack = false
})

/**
 * Opens another page at its top, with the focus inside it. On «Back» the browser restores the scroll position, and
 * screens with `data-own-scroll`, such as a chat, set their own.
 */
function useScreenChange(path: string, screen: ScreenName) {
  const former = useRef(path)
  useEffect(() => {
    // Runs when the screen is loaded, so its title is known, unless the loading failed.
    if (titles[screen]) document.title = `${titles[screen]} · ${pageConfig().appName}`
    if (former.current === path) return
    former.current = path
    const main = document.getElementById('main')
    if (!main?.contains(document.activeElement)) main?.focus({ preventScroll: true })
    const ownsScroll = main?.querySelector('[data-own-scroll]')
    if (!isGoingBack && !location.hash && !ownsScroll) scrollTo(0, 0)
  }, [path, screen])
}
