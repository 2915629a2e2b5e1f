import { useState } from 'react'
import { Redirect, useLocation, useSearch } from 'wouter'
import { useAskForConfirmation, useForgottenPassword } from '#web/features/auth/queries.ts'
import { ForgottenPasswordForm, ResetPasswordForm, SignUpForm } from '#web/features/auth/sign-in-forms.tsx'
import { paths } from '#web/lib/paths.ts'
import { useSession } from '#web/lib/session.ts'
import { TextLink } from '#web/ui/text-link.tsx'
import { EnterStep } from './enter-step.tsx'
import { signInAt, signInView } from './sign-in-view.ts'
import { EmailSentStep, Step } from './step.tsx'

export function SignInScreen() {
  const user = useSession()
  const [, navigate] = useLocation()
  const query = new URLSearchParams(useSearch())
  const view = signInView(query)
  const [email, setEmail] = useState(query.get('email') ?? '')
  if (user && view.mode !== 'reset') return <Redirect to={paths.home()} replace />

  switch (view.mode) {
    case 'sign-up':
      return (
        <Step key="sign-up" title="Новый аккаунт" text="После этого останется открыть ссылку в письме.">
          <SignUpForm email={email} onEmail={setEmail} onDone={(to) => navigate(signInAt('confirm', to))} />
          <Aside href={signInAt('password')}>Вернуться ко входу</Aside>
        </Step>
      )
    case 'forgot':
      return (
        <Step key="forgot" title="Забыли пароль?" text="Пришлём письмо со ссылкой, по которой можно задать новый.">
          <ForgottenPasswordForm email={email} onEmail={setEmail} onSent={(to) => navigate(signInAt('sent', to))} />
          <Aside href={signInAt('password')}>Вернуться ко входу</Aside>
        </Step>
      )
    case 'reset':
      return (
        <Step key="reset" title="Новый пароль" text="Остальные устройства выйдут из аккаунта.">
          <ResetPasswordForm token={view.token} onDone={() => navigate(signInAt('changed'), { replace: true })} />
          <Aside href={signInAt('forgot')}>Запросить новое письмо</Aside>
        </Step>
      )
    case 'confirm':
      return <ConfirmStep key="confirm" email={query.get('email') ?? email} />
    case 'sent':
      return <SentStep key="sent" email={query.get('email') ?? email} />
    default:
      return <EnterStep key="enter" mode={view.mode} email={email} onEmail={setEmail} />
  }
}

function ConfirmStep({ email }: { email: string }) {
  return (
    <EmailSentStep
      email={email}
      message={useAskForConfirmation()}
      text="Мы отправили письмо. Откройте ссылку в нём, чтобы подтвердить адрес: после этого можно войти."
      back={signInAt('sign-up', email)}
    />
  )
}

/** The text is the same whether the account exists or not. */
function SentStep({ email }: { email: string }) {
  return (
    <EmailSentStep
      email={email}
      message={useForgottenPassword()}
      text="Если такой адрес у нас есть, на него уже идёт письмо со ссылкой для нового пароля. Ссылка действует час."
      back={signInAt('forgot', email)}
    />
  )
}

function Aside({ href, children }: { href: string; children: string }) {
  return (
    <p className="mt-4 text-[15px]">
      <TextLink href={href}>{children}</TextLink>
    </p>
  )
}
