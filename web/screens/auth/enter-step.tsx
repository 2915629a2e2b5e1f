import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { useLocation } from 'wouter'
import { PasskeyButton, SocialButtons } from '#web/features/auth/passkey-button.tsx'
import { LinkForm } from '#web/features/auth/sign-in-forms.tsx'
import { isDocumentPublished, pageConfig, pageWelcome, readWelcome } from '#web/lib/page-state.ts'
import { paths } from '#web/lib/paths.ts'
import { Callout } from '#web/ui/callout.tsx'
import { TabPanel, Tabs } from '#web/ui/tabs.tsx'
import { TextLink } from '#web/ui/text-link.tsx'
import { type SignInMode, signInAt } from './sign-in-view.ts'
import { Step } from './step.tsx'

interface EnterStepProps {
  mode: SignInMode
  email: string
  onEmail: (email: string) => void
}

/** Most people enter by a link, and the first visit has a budget of bytes. */
const PasswordForm = lazy(async () => ({
  default: (await import('#web/features/auth/password-form.tsx')).PasswordForm,
}))

const tabs = [
  { id: 'link', label: 'Войти по ссылке' },
  { id: 'password', label: 'Войти с паролем' },
] as const

/** Help that is readable without a session, or the document of the seller in its place. */
const links = [
  ['terms', 'Условия', 'offer'],
  ['privacy', 'Персональные данные', 'personal-data'],
  ['support', 'Помощь', ''],
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

export function EnterStep({ mode, email, onEmail }: EnterStepProps) {
  const [, navigate] = useLocation()
  const welcome = useWelcome()
  const tab = mode === 'link' || mode === 'deleted' || mode === 'linked' ? 'link' : 'password'
  return (
    <Step title={`Вход в ${pageConfig().appName}`} text={welcome?.text}>
      {welcome?.offer && <p className="-mt-3 mb-5 font-medium">{welcome.offer}</p>}
      {notices[mode] && (
        <div role="status" className="mb-5">
          <Callout tone="success">{notices[mode]}</Callout>
        </div>
      )}
      <Tabs tabs={tabs} value={tab} onChange={(id) => navigate(signInAt(id), { replace: true })} label="Способ входа" />
      <TabPanel id={tab}>
        {tab === 'link' ? (
          <>
            <LinkForm email={email} onEmail={onEmail} onSent={(to) => navigate(paths.emailSent(to))} />
            <p className="mt-4 text-pretty text-sm text-muted">
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
      {welcome && (
        <section className="mt-8 border-t pt-5 text-sm text-muted">
          <h2>Примеры вопросов</h2>
          <ul className="mt-2 flex flex-col gap-1.5">
            {welcome.examples.map((example) => (
              <li key={example}>«{example}»</li>
            ))}
          </ul>
        </section>
      )}
      <p className="mt-5 flex flex-wrap gap-x-4 gap-y-2 text-sm">
        {links.map(([slug, label, kind]) => (
          <TextLink key={slug} href={isDocumentPublished(kind) ? paths.legal(kind) : paths.help(`account/${slug}`)}>
            {label}
          </TextLink>
        ))}
      </p>
    </Step>
  )
}
