import { useEffect, useState } from 'react'
import { ApiError } from '#contract/errors.ts'
import { ErrorText } from '#web/ui/error-text.tsx'

/** Replaces the whole page. */
export function ErrorPage({ error }: { error: unknown }) {
  return (
    <main id="main" tabIndex={-1} className="flex min-h-dvh flex-col justify-center outline-none">
      <ErrorNotice error={error} />
    </main>
  )
}

/** Replaces a screen. */
export function ErrorNotice({ error }: { error: unknown }) {
  const { title, text } = useErrorText(error)
  return <ErrorText title={title} text={text} />
}

/** After a failed sign-in the redirect carries only an error code; its text is loaded when it is needed. */
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
  return { title, text: known ?? text }
}

function titleAndText(error: unknown): { title: string; text: string } {
  if (!(error instanceof ApiError))
    return { title: '500', text: 'На странице что-то сломалось. Попробуйте открыть её заново.' }
  return { title: error.status === 0 ? 'Нет связи' : String(error.status), text: error.message }
}
