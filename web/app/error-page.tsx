import { lazy, Suspense, useEffect, useState } from 'react'
import { ApiError } from '#contract/errors.ts'
import { pageUser } from '#web/lib/page-state.ts'
import { paths } from '#web/lib/paths.ts'
import { buttonStyle } from '#web/ui/button-style.ts'

const DeadLink = lazy(async () => ({ default: (await import('#web/screens/auth/dead-link.tsx')).DeadLink }))

/** Replaces the whole page. */
export function ErrorPage({ error }: { error: unknown }) {
  return (
    <main id="main" tabIndex={-1} className="flex min-h-dvh outline-none">
      <ErrorNotice error={error} />
    </main>
  )
}

/** Replaces a screen: the status as title, the message as description and a link home. */
export function ErrorNotice({ error }: { error: unknown }) {
  const { title, text, code } = useErrorText(error)
  const isDeadLink = error instanceof ApiError && error.code === 'INVALID_TOKEN' && !pageUser()
  useEffect(() => {
    document.title = `${title}: ${text}`
  }, [title, text])

  return (
    <div className="m-auto flex max-w-md flex-col items-center gap-3 px-6 pt-10 pb-20 text-center">
      <ErrorDrawing />
      <h1 className="figures mt-2 text-4xl font-semibold">{title}</h1>
      <p className="text-balance text-lg text-muted wrap-anywhere">{text}</p>
      {code && <p className="font-mono text-sm text-muted wrap-anywhere">{code}</p>}
      {isDeadLink && (
        <Suspense fallback={null}>
          <DeadLink />
        </Suspense>
      )}
      {/* A full page load, so that broken state is dropped. */}
      <a href={paths.home()} className={buttonStyle(isDeadLink ? 'secondary' : 'primary', 'md', 'mt-4')}>
        Хочу домой
      </a>
    </div>
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

/** A sad speech bubble. */
function ErrorDrawing() {
  return (
    <svg width="200" height="140" viewBox="0 0 200 140" fill="none" aria-hidden="true" className="max-w-full">
      <ellipse cx="100" cy="129" rx="66" ry="5" className="fill-hover" />
      <path
        d="M54 20h88a18 18 0 0 1 18 18v46a18 18 0 0 1-18 18H92l-22 18a3 3 0 0 1-5-2.3V102H54a18 18 0 0 1-18-18V38a18 18 0 0 1 18-18Z"
        strokeWidth="2.5"
        strokeLinejoin="round"
        className="fill-accent-soft stroke-accent-ink"
      />
      <g strokeWidth="3.5" strokeLinecap="round" className="stroke-accent-ink">
        <path d="M76 50v7M122 50v7" />
        <path d="M83 77c5-6 10-6 15-1s11 5 16-1" />
      </g>
      <path d="m176 8 3 7 7 3-7 3-3 7-3-7-7-3 7-3 3-7Z" className="fill-accent-ink" />
      <circle cx="24" cy="46" r="4" className="fill-line-strong" />
      <circle cx="182" cy="96" r="3" className="fill-line-strong" />
    </svg>
  )
}
