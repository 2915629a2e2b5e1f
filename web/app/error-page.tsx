import { Suspense, useEffect, useLayoutEffect, useState } from 'react'
import { ApiError } from '#contract/errors.ts'
import { lazyComponent } from '#web/lib/lazy-component.ts'
import { pageUser } from '#web/lib/page-state.ts'
import { removeShell } from '#web/lib/shell.ts'
import { ErrorText } from '#web/ui/error-text.tsx'

const UsedLink = lazyComponent(async () => (await import('#web/features/auth/screens/used-link.tsx')).UsedLink)

/** Replaces the whole page. */
export function ErrorPage({ error }: { error: unknown }) {
  useLayoutEffect(removeShell, [])
  return (
    <main id="main" tabIndex={-1} className="flex min-h-dvh flex-col justify-center outline-none">
      <ErrorNotice error={error} />
    </main>
  )
}

/** Replaces a screen. */
export function ErrorNotice({ error }: { error: unknown }) {
  const { title, text, code } = useErrorText(error)
  const isUsedLink = error instanceof ApiError && error.code === 'INVALID_TOKEN' && !pageUser()
  return (
    <ErrorText title={title} text={text} code={code}>
      {isUsedLink && (
        <Suspense fallback={null}>
          <UsedLink />
        </Suspense>
      )}
    </ErrorText>
  )
}

/** After a failed sign-in the redirect carries only an error code. It is shown, below its text if there is one. */
function useErrorText(error: unknown) {
  const [known, setKnown] = useState<string | null>(null)
  useEffect(() => {
    if (!(error instanceof ApiError) || error.message !== error.code) return
    import('./redirect-texts.ts').then(
      ({ redirectText }) => setKnown(redirectText(error.code)),
      () => undefined,
    )
  }, [error])
  const { title, text } = titleAndText(error)
  return { title, text: known ?? text, code: known && text }
}

function titleAndText(error: unknown): { title: string; text: string } {
  if (!(error instanceof ApiError))
    return { title: '500', text: 'На странице что-то сломалось. Попробуйте открыть её заново.' }
  return { title: error.status === 0 ? 'Нет связи' : String(error.status), text: error.message }
}
