import { memo, Suspense, useDeferredValue, useLayoutEffect, useMemo } from 'react'
import { useLocation, useSearch } from 'wouter'
import type { ScreenName } from '#contract/screens.ts'
import { pageConfig } from '#web/lib/page-state.ts'
import { useSession } from '#web/lib/session.ts'
import { ErrorBoundary } from './error-boundary.tsx'
import { ErrorNotice, ErrorPage } from './error-page.tsx'
import { Column } from './layouts/column.tsx'
import { NoAuthLayout } from './layouts/no-auth.tsx'
import { framePart, preloadPlace, screenPart } from './screen-parts.ts'
import { titles } from './titles.ts'
import { useArrival } from './use-arrival.ts'
import { decideVisit, type Visit } from './visit.ts'

/** The old screen stays until the new one is ready: what is shown follows the address with a delay. */
export function Router() {
  const [path, navigate] = useLocation()
  const search = useSearch()
  const user = useSession()
  const visit = useMemo(() => decideVisit(path, search, user, pageConfig().openHelp), [path, search, user])
  useLayoutEffect(() => {
    if (visit.type === 'redirect') navigate(visit.to, { replace: true })
  }, [visit, navigate])

  const shown = useDeferredValue(visit)
  return (
    <ErrorBoundary
      key={shown.type === 'show' ? shown.user?.id : shown.type}
      fallback={(error) => <ErrorPage error={error} />}
    >
      <Suspense fallback={null}>
        <ShownVisit visit={shown} />
      </Suspense>
    </ErrorBoundary>
  )
}

const ShownVisit = memo(function ShownVisit({ visit }: { visit: Visit }) {
  if (visit.type === 'redirect') return null
  if (visit.type === 'fail') return <ErrorPage error={visit.error} />
  return <ShownPlace {...visit} />
})

/** Without a session, a text and not a form. */
const toRead = new Set<ScreenName>(['help-slug', 'shared-id'])

function ShownPlace({ path, place, user }: Extract<Visit, { type: 'show' }>) {
  preloadPlace(path)
  useArrival(path, `${titles[place.screen]} · ${pageConfig().appName}`)
  const { Component: Screen } = screenPart(place.screen)
  const screen = (
    <ErrorBoundary key={path} fallback={(error) => <ErrorNotice error={error} />}>
      <Screen screen={place.screen} params={place.params} />
    </ErrorBoundary>
  )
  if (place.layout === 'no-auth' || !user)
    return <NoAuthLayout toRead={toRead.has(place.screen)}>{screen}</NoAuthLayout>
  const { Component: Frame } = framePart
  return (
    <Frame user={user}>
      <Column layout={place.layout}>{screen}</Column>
    </Frame>
  )
}
