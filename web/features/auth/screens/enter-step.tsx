import { useQuery } from '@tanstack/react-query'
import { type ReactNode, Suspense, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { PasskeyButton, SocialButtons } from '#web/features/auth/passkey-button.tsx'
import { QuestionField } from '#web/features/auth/question-field.tsx'
import { LinkForm } from '#web/features/auth/sign-in-forms.tsx'
import { ConsentLabel } from '#web/features/legal/consent-label.tsx'
import { classNames } from '#web/lib/class-names.ts'
import { noteEarlyConsents } from '#web/lib/early-consents.ts'
import { lazyComponent } from '#web/lib/lazy-component.ts'
import { documentsToAgree, isDocumentPublished, pageConfig, pageWelcome, readWelcome } from '#web/lib/page-state.ts'
import { paths } from '#web/lib/paths.ts'
import { typedQuestion, writeQuestion } from '#web/lib/pending-question.ts'
import { takeTyped } from '#web/lib/shell.ts'
import { Callout } from '#web/ui/callout.tsx'
import { TextLink } from '#web/ui/text-link.tsx'
import { SamplePlace } from './sample-place.tsx'
import { isTickedEarly, isUnfolded, typedEmail } from './sign-in-shell.ts'
import { type SignInMode, signInAt } from './sign-in-view.ts'

interface EnterStepProps {
  mode: SignInMode
  email: string
  onEmail: (email: string) => void
  /** Drawn by the build; the page takes it over from the shell. */
  sample?: ReactNode
}

/** Most people enter by a link, and the first visit has a budget of bytes. */
const PasswordForm = lazyComponent(async () => (await import('#web/features/auth/password-form.tsx')).PasswordForm)

const notices: Partial<Record<SignInMode, string>> = {
  changed: 'Пароль изменён. Войдите с новым: на всех устройствах вход завершён.',
  confirmed: 'Адрес подтверждён. Теперь войдите с паролем.',
  deleted: 'Аккаунт удалён. Спасибо, что были с нами.',
  linked: 'Сервис привязан. Теперь войдите через него.',
}

function useWelcome() {
  const known = pageWelcome()
  const { data } = useQuery({ queryKey: ['welcome'], queryFn: readWelcome, enabled: !known, meta: { silent: true } })
  return known ?? data
}

/** The question first, beside it the ways to sign in, below it what an answer looks like. */
export function EnterStep({ mode, email, onEmail, sample }: EnterStepProps) {
  const [, navigate] = useLocation()
  const welcome = useWelcome()
  const page = useRef<HTMLDivElement>(null)
  const isByCode = mode === 'link' || mode === 'deleted' || mode === 'linked'
  const consents = useConsentBoxes()
  const focusEmail = () => page.current?.querySelector<HTMLElement>('input[name=email]')?.focus()
  const question = useQuestion({ isFirst: mode === 'link' && email === '', onEmail, focusEmail })
  const isAsking = isByCode && question.text.trim() !== ''
  return (
    <div
      ref={page}
      className="mx-auto grid w-full max-w-[1060px] content-start gap-x-16 gap-y-8 self-start frame:grid-cols-[minmax(0,1fr)_23rem] frame:gap-y-7 frame:pt-[3vh]"
    >
      <section aria-labelledby="question-title" className="min-w-0">
        <h1
          id="question-title"
          tabIndex={-1}
          className="text-[28px] leading-tight font-semibold tracking-tight outline-none frame:text-[40px]"
        >
          С чего начнём?
        </h1>
        <p className="mt-2 text-pretty text-muted">{welcome?.text}</p>
        <QuestionField ref={question.field} text={question.text} onChange={question.write} onAsk={focusEmail} />
        <ul
          aria-label="Примеры вопросов"
          className="mt-3 flex gap-2 max-frame:-mx-4 max-frame:overflow-x-auto no-scrollbar max-frame:px-4 frame:flex-wrap"
        >
          {welcome?.examples.map((example) => (
            <li key={example} className="shrink-0">
              <button type="button" onClick={() => question.fill(example, welcome.examples)} className={exampleStyle}>
                {example}
              </button>
            </li>
          ))}
        </ul>
      </section>
      <section
        aria-labelledby="enter-title"
        className={classNames(
          'transition-colors frame:col-start-2 frame:row-span-2 frame:row-start-1 frame:self-start frame:rounded-lg frame:border frame:bg-surface frame:p-6',
          isAsking && 'frame:border-accent-ink',
        )}
      >
        <h2 id="enter-title" className="text-lg font-semibold">
          {isAsking ? 'Куда прислать код?' : `Вход в ${pageConfig().appName}`}
        </h2>
        <p className="mt-1 text-sm font-medium empty:hidden">{welcome?.offer}</p>
        {notices[mode] && (
          <div role="status" className="mt-3">
            <Callout tone="success">{notices[mode]}</Callout>
          </div>
        )}
        <div className="mt-4">
          {isByCode ? (
            <>
              <LinkForm
                email={email}
                onEmail={onEmail}
                onSent={(to) => {
                  consents.note(to)
                  navigate(paths.emailSent(to))
                }}
              >
                {consents.boxes}
              </LinkForm>
              <p className="mt-3 text-pretty text-[13px] leading-snug text-muted">
                Пароль не нужен, аккаунт появится сам.
              </p>
            </>
          ) : (
            <Suspense fallback={null}>
              <PasswordForm
                email={email}
                onEmail={onEmail}
                forgotten={<TextLink href={signInAt('forgot')}>Забыли пароль?</TextLink>}
              />
              <p className="mt-4 text-[15px]">
                <TextLink href={signInAt('sign-up')}>Создать аккаунт с паролем</TextLink>
              </p>
            </Suspense>
          )}
        </div>
        <OtherWays isByCode={isByCode} />
        <p className="mt-4 flex flex-wrap gap-x-4 border-t pt-3 text-[13px] leading-snug text-muted">
          {!consents.boxes && (
            <span className="mb-1 w-full">
              Продолжая, вы соглашаетесь с{'\u00a0'}
              <TextLink inText href={pageAbout('terms', 'offer')}>
                условиями
              </TextLink>
              .
            </span>
          )}
          <TextLink href={pageAbout('privacy', 'personal-data')}>Персональные данные</TextLink>
          <TextLink href={paths.help('account/support')}>Помощь</TextLink>
        </p>
      </section>
      <SamplePlace>{sample}</SamplePlace>
    </div>
  )
}

/** One way is offered; who needs another unfolds them. */
function OtherWays({ isByCode }: { isByCode: boolean }) {
  const fold = useRef<HTMLDetailsElement>(null)
  useLayoutEffect(() => {
    if (fold.current && isUnfolded()) fold.current.open = true
  }, [])
  return (
    <details ref={fold} className="mt-4 text-[15px]">
      <summary className="w-fit cursor-pointer rounded-xs py-1 text-sm text-muted hover:text-ink">
        Другие способы
      </summary>
      <div className="flex flex-col gap-3 pt-3">
        <TextLink href={signInAt(isByCode ? 'password' : 'link')}>
          {isByCode ? 'Войти с паролем' : 'Войти по коду из письма'}
        </TextLink>
        <PasskeyButton />
        <SocialButtons />
      </div>
    </details>
  )
}

/** A box for each document that a new user agrees to; what is not ticked here is asked for after signing in. */
function useConsentBoxes() {
  const asked = documentsToAgree()
  const [ticked, setTicked] = useState<string[]>([])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the shell is there once
  useLayoutEffect(() => setTicked(asked.map(({ kind }) => kind).filter(isTickedEarly)), [])
  if (asked.length === 0) return { boxes: null, note: () => undefined }
  const boxes = (
    <div className="flex flex-col gap-1.5 text-[13px] leading-snug">
      {asked.map(({ kind }) => (
        <label key={kind} data-document={kind} className="flex items-start gap-2">
          <input
            type="checkbox"
            name={kind}
            checked={ticked.includes(kind)}
            onChange={({ target }) =>
              setTicked(target.checked ? [...ticked, kind] : ticked.filter((other) => other !== kind))
            }
            className="size-4 shrink-0 accent-accent"
          />
          <span>
            <ConsentLabel kind={kind} />
          </span>
        </label>
      ))}
    </div>
  )
  const note = (email: string) =>
    noteEarlyConsents(
      email,
      asked.filter(({ kind }) => ticked.includes(kind)),
    )
  return { boxes, note }
}

const exampleStyle =
  'rounded-lg border px-3 py-1.5 text-left text-sm text-muted transition-colors hover:border-line-strong hover:text-ink max-frame:min-h-11'

/** Help that is readable without a session, or the document of the seller in its place. */
const pageAbout = (slug: string, kind: string) =>
  isDocumentPublished(kind) ? paths.legal(kind) : paths.help(`account/${slug}`)

interface QuestionOptions {
  /** The page was opened to ask, not because of a password or an email. */
  isFirst: boolean
  onEmail: (email: string) => void
  focusEmail: () => void
}

/** The text of the question, with what was typed into the shell before the scripts ran. */
function useQuestion({ isFirst, onEmail, focusEmail }: QuestionOptions) {
  const field = useRef<HTMLTextAreaElement>(null)
  const [text, setText] = useState(() => typedQuestion()?.text ?? '')

  function write(next: string) {
    setText(next)
    writeQuestion(next)
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: the shell is there once
  useLayoutEffect(() => {
    const typed = takeTyped()
    const address = typedEmail()
    if (typed) write([text.trimEnd(), typed.text].filter(Boolean).join('\n\n'))
    if (address?.email) onEmail(address.email)
    if (address?.isFocused || typed?.wantsSend) focusEmail()
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: only on arrival
  useEffect(() => {
    if (page(field.current)?.contains(document.activeElement)) return
    const isFine = matchMedia('(pointer: fine)').matches
    if (!isFine) page(field.current)?.querySelector('h1')?.focus({ preventScroll: true })
    else if (isFirst) focusEnd()
    else focusEmail()
  }, [])

  function focusEnd() {
    field.current?.focus({ preventScroll: true })
    field.current?.setSelectionRange(Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)
  }

  /** Replaces another example, never the person's own words. */
  function fill(example: string, examples: string[]) {
    const own = examples.includes(text) ? '' : text.trimEnd()
    write([own, example].filter(Boolean).join('\n\n'))
    field.current?.focus()
  }

  return { field, text, write, fill }
}

const page = (field: Element | null) => field?.closest('main')
