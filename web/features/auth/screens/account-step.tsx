import { useLocation } from 'wouter'
import { ForgottenPasswordForm, ResetPasswordForm, SignUpForm } from '#web/features/auth/account-forms.tsx'
import { useForgottenPassword } from '#web/features/auth/account-queries.ts'
import { useRequestConfirmation } from '#web/features/auth/queries.ts'
import { TextLink } from '#web/ui/text-link.tsx'
import { EmailSentStep } from './email-sent-step.tsx'
import { type SignInView, signInAt } from './sign-in-view.ts'
import { Step } from './step.tsx'

interface AccountStepProps {
  view: SignInView
  sentTo: string
  email: string
  onEmail: (email: string) => void
}

/** Everything around a password: a new account, a forgotten password, and the emails about them. */
export function AccountStep({ view, sentTo, email, onEmail }: AccountStepProps) {
  const [, navigate] = useLocation()
  switch (view.mode) {
    case 'sign-up':
      return (
        <Step key="sign-up" title="Новый аккаунт" text="После этого останется открыть ссылку в письме.">
          <SignUpForm email={email} onEmail={onEmail} onDone={(to) => navigate(signInAt('confirm', to))} />
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
      return <ConfirmStep key="confirm" email={sentTo} />
    case 'sent':
      return <SentStep key="sent" email={sentTo} />
    default:
      return (
        <Step key="forgot" title="Забыли пароль?" text="Пришлём письмо со ссылкой, по которой можно задать новый.">
          <ForgottenPasswordForm email={email} onEmail={onEmail} onSent={(to) => navigate(signInAt('sent', to))} />
          <Aside href={signInAt('password')}>Вернуться ко входу</Aside>
        </Step>
      )
  }
}

function ConfirmStep({ email }: { email: string }) {
  return (
    <EmailSentStep
      email={email}
      message={useRequestConfirmation()}
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
