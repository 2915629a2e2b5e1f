import { useEffect, useState } from 'react'
import { ApiError } from '#contract/errors.ts'
import { paths } from '#web/lib/paths.ts'
import { buttonStyle } from '#web/ui/button-style.ts'
import { ErrorDrawing } from './error-drawing.tsx'

/** Instead of the whole page. */
export function ErrorPage({ error }: { error: unknown }) {
  return (
    <main id="main" tabIndex={-1} className="flex min-h-dvh outline-none">
      <ErrorNotice error={error} />
    </main>
  )
}

/** Instead of a screen: the status as title, the message as description, one way out. */
export function ErrorNotice({ error }: { error: unknown }) {
  const { title, text } = useWhatHappened(error)
  useEffect(() => {
    document.title = `${title}: ${text}`
  }, [title, text])

  return (
    <div className="m-auto flex max-w-md flex-col items-center gap-3 px-6 pt-10 pb-20 text-center">
      <ErrorDrawing />
      <h1 className="figures mt-2 text-4xl font-semibold">{title}</h1>
      <p className="text-balance text-lg text-muted wrap-anywhere">{text}</p>
      {/* A whole new page: what broke this one stays behind. */}
      <a href={paths.home()} className={buttonStyle('primary', 'md', 'mt-4')}>
        Хочу домой
      </a>
    </div>
  )
}

/** A redirect back from signing in names a code alone; its words are loaded when one is shown. */
function useWhatHappened(error: unknown) {
  const [words, setLabel] = useState<string | null>(null)
  useEffect(() => {
    if (!(error instanceof ApiError) || error.message !== error.code) return
    import('./redirect-texts.ts').then(
      ({ redirectText }) => setLabel(redirectText(error.code)),
      () => undefined,
    )
  }, [error])
  const { title, text } = whatHappened(error)
  return { title, text: words ?? text }
}

function whatHappened(error: unknown): { title: string; text: string } {
  if (!(error instanceof ApiError))
    return { title: '500', text: 'На странице что-то сломалось. Попробуйте открыть её заново.' }
  return { title: error.status === 0 ? 'Нет связи' : String(error.status), text: error.message }
}
