import { type ComponentType, type ReactNode, useEffect, useState } from 'react'
import { buttonStyle } from './button-style.ts'

interface ErrorTextProps {
  title: string
  text: string
  /** The code behind the text, as support asks for it. */
  code?: string | null
  /** What else can be done. */
  children?: ReactNode
}

/** An error in place of a screen: the status as title, the message as description and a link home. */
export function ErrorText({ title, text, code, children }: ErrorTextProps) {
  useEffect(() => {
    document.title = `${title}: ${text}`
  }, [title, text])

  const Illustration = useIllustration()
  return (
    <div className="mx-auto flex min-h-[75dvh] max-w-md flex-col items-center justify-center gap-3 px-6 pt-10 pb-16 text-center">
      <div className="h-[140px]">{Illustration && <Illustration />}</div>
      <h1 className="figures mt-2 text-4xl font-semibold">{title}</h1>
      <p className="text-balance text-lg text-muted wrap-anywhere">{text}</p>
      {code && <p className="font-mono text-sm text-muted wrap-anywhere">{code}</p>}
      {children}
      {/* A full page load, so that broken state is dropped. */}
      <a href="/" className={buttonStyle(children ? 'secondary' : 'primary', 'md', 'mt-4')}>
        Хочу домой
      </a>
    </div>
  )
}

/** Loaded when there is an error. It decorates: where it cannot be loaded, its place stays empty. */
function useIllustration(): ComponentType | null {
  const [Illustration, setIllustration] = useState<ComponentType | null>(null)
  useEffect(() => {
    import('./error-illustration.tsx').then(
      ({ ErrorIllustration }) => setIllustration(() => ErrorIllustration),
      () => undefined,
    )
  }, [])
  return Illustration
}
