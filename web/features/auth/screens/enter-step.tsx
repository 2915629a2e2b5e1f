import { useQuery } from '@tanstack/react-query'
import { type ReactNode, Suspense, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { PasskeyButton, SocialButtons } from '#web/features/auth/passkey-button.tsx'
import { QuestionField } from '#web/features/auth/question-field.tsx'
import { LinkForm } from '#web/features/auth/sign-in-forms.tsx'
import { lazyComponent } from '#web/lib/lazy-component.ts'
import { isDocumentPublished, pageConfig, pageWelcome, readWelcome } from '#web/lib/page-state.ts'
import { paths } from '#web/lib/paths.ts'
import { typedQuestion, writeQuestion } from '#web/lib/pending-question.ts'
import { takeTyped } from '#web/lib/shell.ts'
import { Callout } from '#web/ui/callout.tsx'
import { TabPanel, Tabs } from '#web/ui/tabs.tsx'
import { TextLink } from '#web/ui/text-link.tsx'
import { SamplePlace } from './sample-place.tsx'
import { typedEmail } from './sign-in-shell.ts'
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

const tabs = [
  { id: 'link', label: 'Войти по ссылке' },
  { id: 'password', label: 'Войти с паролем' },
] as const

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
  const tab = mode === 'link' || mode === 'deleted' || mode === 'linked' ? 'link' : 'password'
  const focusEmail = () => page.current?.querySelector('input')?.focus()
  const question = useQuestion({ isFirst: mode === 'link' && email === '', onEmail, focusEmail })
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
        className="frame:col-start-2 frame:row-span-2 frame:row-start-1 frame:self-start frame:rounded-lg frame:border frame:bg-surface frame:p-6"
      >
        <h2 id="enter-title" className="text-lg font-semibold">
          Вход в {pageConfig().appName}
        </h2>
        <p className="mt-1 mb-3 text-sm font-medium empty:hidden">{welcome?.offer}</p>
        {notices[mode] && (
          <div role="status" className="mb-4">
            <Callout tone="success">{notices[mode]}</Callout>
          </div>
        )}
        <Tabs
          tabs={tabs}
          value={tab}
          onChange={(id) => navigate(signInAt(id), { replace: true })}
          label="Способ входа"
        />
        <TabPanel id={tab}>
          {tab === 'link' ? (
            <>
              <LinkForm email={email} onEmail={onEmail} onSent={(to) => navigate(paths.emailSent(to))} />
              <p className="mt-3 text-pretty text-[13px] leading-snug text-muted">
                Пришлём письмо со ссылкой и кодом, пароль не нужен. Если аккаунта ещё нет, он появится сам.
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
        </TabPanel>
        <SocialButtons />
        <PasskeyButton />
        <p className="mt-5 border-t pt-4 text-pretty text-[13px] leading-snug text-muted">
          Продолжая, вы соглашаетесь с{'\u00a0'}
          <TextLink inText href={pageAbout('terms', 'offer')}>
            условиями
          </TextLink>
          .
          <span className="mt-1.5 flex flex-wrap gap-x-4">
            <TextLink href={pageAbout('privacy', 'personal-data')}>Персональные данные</TextLink>
            <TextLink href={paths.help('account/support')}>Помощь</TextLink>
          </span>
        </p>
      </section>
      <SamplePlace>{sample}</SamplePlace>
    </div>
  )
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
